package syncing_test

import (
	"context"
	"testing"
	"time"

	"tarmac/service/providers"
	"tarmac/service/statements/bank"
	"tarmac/service/syncing"
)

// BenchmarkReading reads ten thousand lines of two years into empty books.
func BenchmarkReading(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		f := newFixture(b)
		f.bank.listing = providers.Listing{Accounts: []providers.Account{checking("a", "…6789")}}
		f.bank.reading = func(r providers.Request) (providers.Reading, error) {
			st := statement("a", r)
			for n := range 10_000 {
				day := st.First.AddDays(n % 700)
				st.Lines = append(st.Lines, bank.Line{Booked: day, Minor: int64(n - 5000), Description: "Payment of a customer"})
			}
			return providers.Reading{Statements: []providers.Statement{st}}, nil
		}
		c := f.connect(b, "token")
		b.StartTimer()
		f.choose(b, c, "a")
	}
}

// BenchmarkUnchangedReading reads ten thousand lines that the books have already.
func BenchmarkUnchangedReading(b *testing.B) {
	f := connected(b, nil)
	f.bank.reading = func(r providers.Request) (providers.Reading, error) {
		st := statement("a", r)
		for n := range 10_000 {
			day := st.First.AddDays(n % 44)
			st.Lines = append(st.Lines, bank.Line{Booked: day, Minor: int64(n - 5000), Description: "Payment of a customer"})
		}
		return providers.Reading{Statements: []providers.Statement{st}}, nil
	}
	if outcome := f.sync(b); outcome.Added != 10_000 {
		b.Fatalf("the outcome is %+v", outcome)
	}
	for b.Loop() {
		if outcomes, err := f.Sync(context.Background(), f.org, "", syncing.SyncOptions{}); err != nil ||
			outcomes[0].Problem != "" {
			b.Fatal(outcomes, err)
		}
		f.clock.advance(time.Minute)
	}
}

// BenchmarkIdle is what a process does once a minute while no reading is due.
func BenchmarkIdle(b *testing.B) {
	f := connected(b, nil, 100)
	for b.Loop() {
		if wait, err := f.Idle(context.Background()); err != nil || wait != time.Minute {
			b.Fatal(wait, err)
		}
	}
}
