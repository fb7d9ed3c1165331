//go:build unix

package bookkeeping_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// processorTime starts to measure the processor time of a benchmark, which other programs on the
// machine change less than the time. The function that it returns reports it.
func processorTime(b *testing.B) (report func()) {
	now := func() time.Duration {
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
			b.Fatal(err)
		}
		return time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	began := now()
	return func() { b.ReportMetric(float64((now()-began).Milliseconds())/float64(b.N), "cpu-ms/op") }
}

// benchLines returns how many lines the books of the benchmarks have: 270,000, or
// TARMAC_BENCH_ROWS.
func benchLines(b *testing.B) int {
	text := os.Getenv("TARMAC_BENCH_ROWS")
	if text == "" {
		return 270_000
	}
	lines, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return lines
}

var benchAccounts = [...]string{"00123456789", "00987654321", "4111222233334444"}

// benchStatement returns the statement of an account over four years, from 2022 on: every ninth
// line is money in, and every thousandth a transfer to another account.
func benchStatement(account, lines int) statement {
	first := civil.New(2022, 1, 1)
	s := statement{account: benchAccounts[account], first: first.String(), last: "2025-12-31"}
	const days = 4 * 365
	s.lines = make([]line, 0, lines)
	for n := range lines {
		sign, name := "-", fmt.Sprintf("CARD PURCHASE STORE %05d SEATTLE WA", n%5000)
		switch {
		case n%1000 == 999:
			name = "ONLINE TRANSFER TO ACCT ENDING " + benchAccounts[(account+1)%2][7:]
		case n%9 == 8:
			sign, name = "", fmt.Sprintf("ACH DEPOSIT CUSTOMER %d INC", n%211)
		}
		s.lines = append(s.lines, line{
			first.AddDays(n * days / lines).String(), fmt.Sprintf("%s%d.%02d", sign, 5+(n+account*7)%9973, (n+account)%100),
			fmt.Sprint(account, "-", n), name,
		})
	}
	return s
}

// larger returns the statement with other, larger amounts.
func larger(s statement) statement {
	for n := range s.lines {
		amount := &s.lines[n].amount
		if digits, negative := strings.CutPrefix(*amount, "-"); negative {
			*amount = "-1000" + digits
		} else {
			*amount = "1000" + digits
		}
	}
	return s
}

// grownBooks returns books with that many lines: half in one account, the rest in two others.
func grownBooks(b *testing.B, lines int) *bookkeeping.Books {
	b.Helper()
	books := newBooks(b)
	for account, share := range [...]int{2, 3, 6} {
		s := benchStatement(account, lines/share)
		take(b, books, source(fmt.Sprintf("%d.qfx", account), s.ofx()))
	}
	return books
}

// newLines returns files of one new line each, of consecutive days.
func newLines() func() bookkeeping.Source {
	day := civil.New(2026, 1, 1)
	return func() bookkeeping.Source {
		s := statement{account: benchAccounts[0], first: day.String(), last: day.String()}
		s.lines = []line{{day.String(), "-12.34", "new-" + day.String(), "SOMEBODY NEW"}}
		day = day.AddDays(1)
		return source(day.String()+".qfx", s.ofx())
	}
}

// BenchmarkGrownBooks brings little into books of many lines.
func BenchmarkGrownBooks(b *testing.B) {
	books, next := grownBooks(b, benchLines(b)), newLines()
	b.Run("one line", func(b *testing.B) {
		defer processorTime(b)()
		for b.Loop() {
			take(b, books, next())
		}
	})
	b.Run("known file", func(b *testing.B) {
		file := next()
		take(b, books, file)
		defer processorTime(b)()
		for b.Loop() {
			take(b, books, file)
		}
	})
	b.Run("neighbour of one line", func(b *testing.B) {
		measureNeighbour(b, books, func() { take(b, books, next()) })
	})
	r := november
	r.account = benchAccounts[0]
	sync(b, books, mercury, r)
	b.Run("reading without news", func(b *testing.B) {
		defer processorTime(b)()
		for n := 0; b.Loop(); n++ {
			content := bytes.NewReader([]byte(strings.Repeat(" ", n+1) + r.text()))
			read := []bookkeeping.Source{{Name: "mercury", Content: content}}
			if _, err := books.Import(b.Context(), read, bookkeeping.Options{Feed: &mercury}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("reading with a line", func(b *testing.B) {
		defer processorTime(b)()
		for n := 0; b.Loop(); n++ {
			one := feedLine{Date: "2026-11-20", Amount: "-12.34", ID: fmt.Sprint("new-", n), Description: "SOMEBODY NEW"}
			r.lines = append(r.lines, one)
			sync(b, books, mercury, r)
		}
	})
}

// BenchmarkNeighbourOfAnImport imports files of many lines.
func BenchmarkNeighbourOfAnImport(b *testing.B) {
	const lines = 200_000
	books, account := newBooks(b), 0
	measureNeighbour(b, books, func() {
		take(b, books, source("a.qfx", benchStatement(account%len(benchAccounts), lines).ofx()))
		account++
	})
}

// BenchmarkNeighbourOfAChange changes books of many lines: 100,000, or TARMAC_BENCH_ROWS. Undoing
// and forgetting are measured together with what they undo.
func BenchmarkNeighbourOfAChange(b *testing.B) {
	lines := 100_000
	if os.Getenv("TARMAC_BENCH_ROWS") != "" {
		lines = benchLines(b)
	}
	books := newBooks(b)
	take(b, books, source("a.qfx", benchStatement(0, lines).ofx()))
	check := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("rule", func(b *testing.B) {
		n := 0
		measureNeighbour(b, books, func() {
			n++
			_, err := books.EditRules(b.Context(), func(string) string {
				return fmt.Sprintf("[[rule]]\nmatch = \"PURCHASE\"\ncounterparty = \"Shop %d\"\n", n)
			})
			check(b, err)
		})
	})
	b.Run("import and undo", func(b *testing.B) {
		file := larger(benchStatement(1, lines)).ofx()
		measureNeighbour(b, books, func() {
			report := take(b, books, source("b.qfx", file))
			_, err := books.Undo(b.Context(), string(report.Import))
			check(b, err)
		})
	})
	b.Run("preview of undo", func(b *testing.B) {
		imports, err := books.Imports(b.Context())
		check(b, err)
		measureNeighbour(b, books, func() {
			_, err := books.PreviewUndo(b.Context(), imports[0].ID)
			check(b, err)
		})
	})
	b.Run("readings, and forgetting them", func(b *testing.B) {
		first := readingOf(20_000)
		first.account = benchAccounts[2]
		other := first
		other.lines = slices.Clone(first.lines)
		for n := range len(other.lines) / 10 {
			other.lines[n].Description = "SOMEBODY ELSE"
		}
		measureNeighbour(b, books, func() {
			sync(b, books, mercury, first)
			sync(b, books, mercury, other)
			_, err := books.ForgetFeed(b.Context(), mercury.Connection, nil)
			check(b, err)
		})
	})
}

// measureNeighbour runs an import for each iteration of the benchmark, while another organization
// of the database writes a little every ten milliseconds. It reports how long writes of another
// organization take meanwhile.
func measureNeighbour(b *testing.B, books *bookkeeping.Books, run func()) {
	b.Helper()
	var neighbour store.OrgKey
	id := fmt.Sprint("org_", time.Now().UnixNano())
	err := books.Store.Write(b.Context(), func(tx *store.Tx) (err error) {
		neighbour, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: "Neighbour", CreatedAt: now})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	refused := 0
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				stopped <- nil
				return
			case <-time.After(10 * time.Millisecond):
			}
			began := time.Now()
			err := books.Store.WriteOf(b.Context(), neighbour, func(tx *store.Tx) error {
				return tx.SetBookRules(neighbour, fmt.Sprint("# ", n))
			})
			times = append(times, time.Since(began))
			switch {
			case errors.Is(err, store.ErrBusy):
				refused++
			case err != nil:
				stopped <- err
				return
			}
		}
	}()
	for b.Loop() {
		run()
	}
	close(stop)
	if err := <-stopped; err != nil {
		b.Fatal(err)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*99/100].Milliseconds()), "p99-ms")
	b.ReportMetric(float64(times[len(times)-1].Milliseconds()), "max-ms")
	b.ReportMetric(float64(refused), "refused")
}
