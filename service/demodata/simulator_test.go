package demodata_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tarmac/service/accounts"
	"tarmac/service/demodata"
	"tarmac/service/events"
	"tarmac/service/store"
)

func TestTheFiguresAreConsistentAfterEveryStep(t *testing.T) {
	for seed := range int64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			f := newFixture(t)
			generate(t, f, demodata.Options{Seed: seed, Transactions: 900, Today: today})
			now := today
			life := demodata.NewSimulator(f.st, f.org, seed, func() time.Time { return now })
			for range 4 {
				// Some pauses pass midnight, when invoices become overdue.
				pause := []time.Duration{0, 4 * time.Second, time.Hour, 30 * time.Hour}[random.IntN(4)]
				for range 1 + random.IntN(25) {
					now = now.Add(pause)
					if err := life.Step(context.Background(), now); err != nil {
						t.Fatal(err)
					}
					f.checkEarmarks(t)
				}
				f.deleteOldEvents(t, now)
				f.checkAgreement(t, now)
			}
		})
	}
}

// deleteOldEvents deletes the events that are past their retention at that time.
func (f fixture) deleteOldEvents(t testing.TB, now time.Time) {
	t.Helper()
	oldest := now.AddDate(0, 0, -events.RetentionDays).UnixMicro()
	if _, err := f.db.Exec("DELETE FROM events WHERE occurred_at < ?", oldest); err != nil {
		t.Fatal(err)
	}
}

func TestEveryStepRunsOneAction(t *testing.T) {
	f := newFixture(t)
	generate(t, f, demodata.Options{Seed: 3, Transactions: 900, Today: today})
	now := today
	life := demodata.NewSimulator(f.st, f.org, 3, func() time.Time { return now })
	trace := func() [5]int64 {
		return [5]int64{
			f.number(t, "SELECT available_cents FROM accounts"),
			f.number(t, "SELECT count(*) FROM transactions"), f.number(t, "SELECT count(*) FROM events"),
			f.number(t, "SELECT sum(length(status) + coalesce(updated_at, 0) % 1000000007) FROM payment_intents"),
			f.number(t, "SELECT count(*) + sum(paid_cents) FROM invoices"),
		}
	}
	started := f.number(t, "SELECT count(*) FROM events")
	for range 200 {
		before := trace()
		now = now.Add(4 * time.Second)
		if err := life.Step(context.Background(), now); err != nil {
			t.Fatal(err)
		}
		if trace() == before {
			t.Fatal("nothing happened")
		}
	}
	if n := f.number(t, "SELECT count(*) FROM events") - started; n < 50 {
		t.Errorf("200 steps told %d events; more were meant", n)
	}
	for _, kind := range events.Types {
		switch kind {
		case events.InvoiceOverdue, events.InvoiceVoided:
			continue // one kind of event waits for midnight, and the other is rare
		case events.TestEvent:
			continue // the sample company has no connections to providers and verifies no endpoint
		}
		n := f.number(t, "SELECT count(*) FROM events WHERE type = ? AND occurred_at > ?", string(kind), today.UnixMicro())
		if n == 0 {
			t.Errorf("200 steps told no %s", kind)
		}
	}
}

func TestTheCashLastsOverManySteps(t *testing.T) {
	f := newFixture(t)
	figures := generate(t, f, demodata.Options{Seed: 5, Transactions: 0, Today: today})
	now := today
	life := demodata.NewSimulator(f.st, f.org, 5, func() time.Time { return now })
	for range 400 {
		now = now.Add(4 * time.Second)
		if err := life.Step(context.Background(), now); err != nil {
			t.Fatal(err)
		}
	}
	f.checkAgreement(t, now)
	cash := f.number(t, "SELECT "+settledNet+" FROM transactions")
	if drift := cash - figures.CashCents; drift < -150_000_00 || drift > 150_000_00 {
		t.Errorf("cash moved from %d to %d cents", figures.CashCents, cash)
	}
	if open := f.number(t, "SELECT count(*) FROM invoices WHERE status IN ('sent', 'overdue')"); open < 10 || open > 70 {
		t.Errorf("%d invoices are open", open)
	}
}

func TestAFailedStepWritesNothing(t *testing.T) {
	f := newFixture(t)
	generate(t, f, demodata.Options{Seed: 3, Transactions: 0, Today: today})
	before := f.digest(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	life := demodata.NewSimulator(f.st, f.org, 3, func() time.Time { return today })
	if err := life.Step(ctx, today); !errors.Is(err, context.Canceled) {
		t.Errorf("Step = %v; want it canceled", err)
	}
	if f.digest(t) != before {
		t.Error("the failed step left something")
	}
}

func TestStepNeedsAnOpenAccount(t *testing.T) {
	f := newFixture(t)
	life := demodata.NewSimulator(f.st, f.org, 3, func() time.Time { return today })
	if err := life.Step(context.Background(), today); !errors.Is(err, demodata.ErrNoAccount) {
		t.Errorf("Step = %v without an account", err)
	}
	err := f.st.Write(context.Background(), func(tx *store.Tx) error {
		return tx.SetAccount(
			f.org, false, accounts.Balance{},
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := life.Step(context.Background(), today); !errors.Is(err, demodata.ErrNoAccount) {
		t.Errorf("Step = %v with a closed account", err)
	}
}

func TestRunStepsAtTheGivenPaceUntilItsContextEnds(t *testing.T) {
	f := newFixture(t)
	generate(t, f, demodata.Options{Seed: 3, Transactions: 0, Today: today})
	before := f.number(t, "SELECT count(*) FROM transactions") + f.number(t, "SELECT count(*) FROM events")
	ctx, cancel := context.WithCancel(context.Background())
	now, pauses := today, 0
	life := demodata.NewSimulator(f.st, f.org, 3, func() time.Time { return now })
	life.Run(ctx, func(d time.Duration) <-chan time.Time {
		if d < 2*time.Second || d > 6*time.Second {
			t.Errorf("a pause of %v", d)
		}
		if pauses++; pauses > 20 {
			cancel()
			return nil
		}
		now = now.Add(d)
		fired := make(chan time.Time, 1)
		fired <- now
		return fired
	}, func(err error) { t.Error(err) })
	after := f.number(t, "SELECT count(*) FROM transactions") + f.number(t, "SELECT count(*) FROM events")
	if after < before+10 {
		t.Errorf("20 steps left %d new rows and events", after-before)
	}
	f.checkAgreement(t, now)
}

func TestRunReportsAFailedStepAndContinues(t *testing.T) {
	f := newFixture(t) // without an account
	ctx, cancel := context.WithCancel(context.Background())
	life := demodata.NewSimulator(f.st, f.org, 3, func() time.Time { return today })
	var failures []error
	life.Run(ctx, func(time.Duration) <-chan time.Time {
		fired := make(chan time.Time, 1)
		fired <- today
		return fired
	}, func(err error) {
		if failures = append(failures, err); len(failures) == 3 {
			cancel()
		}
	})
	for _, err := range failures {
		if !errors.Is(err, demodata.ErrNoAccount) {
			t.Errorf("told of %v", err)
		}
	}
	if len(failures) < 3 {
		t.Errorf("told of %d failures", len(failures))
	}
}

func BenchmarkStep(b *testing.B) {
	f := newFixture(b)
	generate(b, f, demodata.Options{Seed: 3, Transactions: demodata.DefaultTransactions, Today: today})
	now := today
	life := demodata.NewSimulator(f.st, f.org, 3, func() time.Time { return now })
	for b.Loop() {
		now = now.Add(4 * time.Second)
		if err := life.Step(context.Background(), now); err != nil {
			b.Fatal(err)
		}
	}
}
