package spending_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

func TestEqualOppositeAmountsWithinFiveDaysAreSuspected(t *testing.T) {
	for name, c := range map[string]struct {
		rows []apiclient.Transaction
		want string // name of each row of money out, and of its partner
	}{
		"on the same day":    {rows("2026-10-05 Savings -500000", "2026-10-05 Checking 500000"), "Savings>Checking"},
		"five days apart":    {rows("2026-10-05 Savings -500000", "2026-10-10 Checking 500000"), "Savings>Checking"},
		"in before out":      {rows("2026-10-10 Savings -500000", "2026-10-05 Checking 500000"), "Savings>Checking"},
		"six days apart":     {rows("2026-10-05 Savings -500000", "2026-10-11 Checking 500000"), ""},
		"over a month's end": {rows("2026-09-29 Savings -500000", "2026-10-02 Checking 500000"), "Savings>Checking"},
		"outside the days":   {rows("2026-08-05 Savings -500000", "2026-08-05 Checking 500000"), ""},
		"different amounts":  {rows("2026-10-05 Savings -500000", "2026-10-05 Checking 500001"), ""},
		"the same direction": {rows("2026-10-05 Savings -500000", "2026-10-05 Checking -500000"), ""},
		"each row once":      {rows("2026-10-05 A -100000", "2026-10-05 B 100000", "2026-10-06 C 100000"), "A>C"},
		"as many as possible": {
			rows("2026-10-02 A -100000", "2026-10-06 B -100000", "2026-10-05 C 100000", "2026-10-11 D 100000"),
			"B>D A>C",
		},
		"small amounts": {rows("2026-10-05 Savings -99999", "2026-10-05 Checking 99999"), ""},
		"known to the server": {[]apiclient.Transaction{
			row("2026-10-05", "Savings", -500_000, "own"), row("2026-10-05", "Checking", 500_000, ""),
		}, ""},
		"an unknown amount": {[]apiclient.Transaction{
			row("2026-10-05", "Savings", -500_000, "unknown"), row("2026-10-05", "Checking", 500_000, ""),
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := ledger(c.rows...)
			var got []string
			for _, p := range l.SuspectedTransfers(inOctober) {
				got = append(got, l.Rows[p.Out].CounterpartyName+">"+l.Rows[p.In].CounterpartyName)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestTheLeastSuspectedTransferHasTheDecimalsOfTheCurrency(t *testing.T) {
	for currency, least := range map[string]int64{"JPY": 1000, "EUR": 1000_00, "KWD": 1000_000} {
		for amount, want := range map[int64]int{least - 1: 0, least: 1} {
			all := rows(fmt.Sprint("2026-10-05 Savings -", amount), fmt.Sprint("2026-10-05 Checking ", amount))
			for i := range all {
				all[i].Reporting = apiclient.NewAmount(amount, currency)
			}
			l := ledger(all...)
			if got := len(l.SuspectedTransfers(inOctober)); got != want {
				t.Errorf("%s: %d pairs of %d, want %d", currency, got, amount, want)
			}
		}
	}
}

func inOctober(day civil.Date) bool { return day.FirstOfMonth() == civil.New(2026, 10, 1) }

// rows returns rows that are written as day, name and USD cents.
func rows(texts ...string) (all []apiclient.Transaction) {
	for _, text := range texts {
		var day, name string
		var cents int64
		if _, err := fmt.Sscan(text, &day, &name, &cents); err != nil {
			panic(err)
		}
		all = append(all, row(day, name, cents, ""))
	}
	return all
}

// A slow search finds no larger number of pairs.
func TestAsManyRowsAsPossibleArePaired(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []apiclient.Transaction
		for range rapid.IntRange(0, 9).Draw(t, "rows") {
			day := civil.New(2026, 10, 1).AddDays(rapid.IntRange(0, 20).Draw(t, "day"))
			cents := rapid.SampledFrom([]int64{-100_000, 100_000}).Draw(t, "cents")
			name := map[bool]string{true: "In", false: "Out"}[cents > 0] // equal names would be refunds
			all = append(all, row(day.String(), name, cents, ""))
		}
		l := ledger(all...)
		pairs := l.SuspectedTransfers(inOctober)
		used := map[int]bool{}
		for _, p := range pairs {
			days := l.Rows[p.Out].Date.DaysSince(l.Rows[p.In].Date)
			if used[p.Out] || used[p.In] || max(days, -days) > 5 || p.Minor != 100_000 ||
				l.Rows[p.Out].Direction != apiclient.Outflow || l.Rows[p.In].Direction != apiclient.Inflow {
				t.Fatalf("%+v", pairs)
			}
			used[p.Out], used[p.In] = true, true
		}
		if best := mostPairs(all); len(pairs) != best {
			t.Fatalf("%d pairs, %d are possible", len(pairs), best)
		}
	})
}

// mostPairs tries all ways to pair rows.
func mostPairs(rows []apiclient.Transaction) (best int) {
	if len(rows) == 0 {
		return 0
	}
	first, rest := rows[0], rows[1:]
	best = mostPairs(rest)
	for i, other := range rest {
		days := first.Date.DaysSince(other.Date)
		if other.Direction != first.Direction && max(days, -days) <= 5 {
			left := append(append([]apiclient.Transaction(nil), rest[:i]...), rest[i+1:]...)
			best = max(best, 1+mostPairs(left))
		}
	}
	return best
}
