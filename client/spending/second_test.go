package spending_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/recurrence"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// This file has a second, slow implementation of the package. It goes through all rows for each
// figure and adds up in big integers. Property tests compare it with the package.

// anyLedger draws rows of eight months, of counterparties with several spellings, of which some
// recur.
func anyLedger(t *rapid.T) []apiclient.Transaction {
	var rows []apiclient.Transaction
	first := civil.New(2026, 3, 1)
	names := strings.Split("Acme,ACME Inc.,Blue Ltd,blue,C,D,E,F,G,H,I,J,K,L,M,N,O,P,(unknown)", ",")
	memos := []string{"", "", "", "", "own", "financing", "unknown"}
	for range rapid.IntRange(0, 60).Draw(t, "rows") {
		from := rapid.SampledFrom([]int{0, 184}).Draw(t, "from") // half of the rows are of the months of the bridge
		day := first.AddDays(rapid.IntRange(from, 244).Draw(t, "day"))
		name := rapid.SampledFrom(names).Draw(t, "name")
		cents := rapid.Int64Range(-3000, 3000).Draw(t, "cents")
		rows = append(rows, row(day.String(), name, cents, rapid.SampledFrom(memos).Draw(t, "memo")))
	}
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(names[:8]), rapid.ID).Draw(t, "recurring") {
		day, months := rapid.IntRange(0, 27).Draw(t, "of month"), rapid.IntRange(2, 8).Draw(t, "months")
		for i := range months {
			rows = append(rows, row(first.AddMonths(i).AddDays(day).String(), name, -900, ""))
		}
	}
	return rows
}

var september, october = civil.New(2026, 9, 1), civil.New(2026, 10, 1)

func TestTheBridgeEqualsASlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ledger(anyLedger(t)...)
		b, ok := l.Bridge(september, october)
		if !ok {
			t.Fatal("overflow")
		}
		var got []string
		for _, c := range b.Changes {
			got = append(got, fmt.Sprint(c.Key, " ", c.Kind, " ", c.Before.Minor, " ", c.After.Minor))
		}
		got = append(got, fmt.Sprint("rest ", b.RestCount, " ", b.Rest.Before.Minor, " ", b.Rest.After.Minor))
		got = append(got, fmt.Sprint("own ", b.OwnTransfers.Before.Minor, " ", b.OwnTransfers.After.Minor))
		got = append(got, fmt.Sprint("financing ", b.Financing.Before.Minor, " ", b.Financing.After.Minor))
		if want := slowBridge(l); !slices.Equal(got, want) {
			t.Fatalf("%q\nbut the slow bridge is\n%q", got, want)
		}
	})
}

func slowBridge(l *spending.Ledger) (lines []string) {
	keys := map[string]bool{}
	for _, r := range l.Rows {
		if m := r.Date.FirstOfMonth(); r.Purpose == spending.Operating && (m == september || m == october) {
			keys[r.Key] = true
		}
	}
	of := func(key string) func(spending.Row) bool {
		return func(r spending.Row) bool { return r.Purpose == spending.Operating && r.Key == key }
	}
	order := slices.Sorted(maps.Keys(keys))
	difference := func(key string) *big.Int {
		return new(big.Int).Sub(net(l, october, of(key)), net(l, september, of(key)))
	}
	slices.SortStableFunc(order, func(a, b string) int { return difference(b).CmpAbs(difference(a)) })
	restBefore, restAfter, rest := new(big.Int), new(big.Int), 0
	for i, key := range order {
		before, after := net(l, september, of(key)), net(l, october, of(key))
		if i >= 10 || difference(key).Sign() == 0 {
			restBefore.Add(restBefore, before)
			restAfter.Add(restAfter, after)
			rest++
			continue
		}
		lines = append(lines, fmt.Sprint(key, " ", slowKind(l, key), " ", before, " ", after))
	}
	purpose := func(p spending.Purpose) func(spending.Row) bool {
		return func(r spending.Row) bool { return r.Purpose == p }
	}
	own, financing := purpose(spending.OwnTransfer), purpose(spending.Financing)
	return append(lines, fmt.Sprint("rest ", rest, " ", restBefore, " ", restAfter),
		fmt.Sprint("own ", net(l, september, own), " ", net(l, october, own)),
		fmt.Sprint("financing ", net(l, september, financing), " ", net(l, october, financing)))
}

// net returns the money in less the money out of the rows of a month for which includes returns
// true.
func net(l *spending.Ledger, month civil.Date, includes func(spending.Row) bool) *big.Int {
	sum := new(big.Int)
	for _, r := range l.Rows {
		cents, known := r.Reporting.Minor()
		if !known || r.Date.FirstOfMonth() != month || !includes(r) {
			continue
		}
		if r.Direction == apiclient.Outflow {
			cents = -cents
		}
		sum.Add(sum, big.NewInt(cents))
	}
	return sum
}

func slowKind(l *spending.Ledger, key string) spending.Kind {
	inSeptember, inOctober, earlier, knownSeptember, knownOctober := 0, 0, 0, 0, 0
	var payments [2][]recurrence.Payment
	for _, r := range l.Rows {
		if r.Key != key || r.Purpose != spending.Operating {
			continue
		}
		switch r.Date.FirstOfMonth() {
		case september:
			inSeptember++
			knownSeptember += isKnown(&r)
		case october:
			inOctober++
			knownOctober += isKnown(&r)
		}
		if r.Date.Before(october) {
			earlier++
		}
		cents, known := r.Reporting.Minor()
		if known && !r.IsRefund() && r.CounterpartyName != counterparty.Unknown && r.Date.Before(october) {
			side := 0
			if r.Direction == apiclient.Inflow {
				side = 1
			}
			payments[side] = append(payments[side], recurrence.Payment{Date: r.Date, Cents: cents})
		}
	}
	last := october.LastOfMonth()
	isLate := func(s recurrence.Series) bool { return s.IsLate(last) }
	change := net(l, october, func(r spending.Row) bool { return r.Key == key && r.Purpose == spending.Operating })
	change.Sub(change, net(l, september, func(r spending.Row) bool {
		return r.Key == key && r.Purpose == spending.Operating
	}))
	switch {
	case inOctober == 0 && (slices.ContainsFunc(recurrence.Find(payments[0], last), isLate) ||
		slices.ContainsFunc(recurrence.Find(payments[1], last), isLate)):
		return spending.Gone
	case inOctober == 0:
		return spending.NotDue
	case earlier == 0:
		return spending.New
	case inSeptember > 0 && knownSeptember == 0 || knownOctober == 0:
		return spending.Unclear
	case change.Sign() > 0:
		return spending.Up
	}
	return spending.Down
}

func isKnown(r *spending.Row) int {
	if r.Reporting.Known() {
		return 1
	}
	return 0
}

func TestCounterpartiesEqualSlowOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ledger(anyLedger(t)...)
		months := rapid.IntRange(1, 4).Draw(t, "months compared")
		direction := rapid.SampledFrom([]apiclient.Direction{apiclient.Inflow, apiclient.Outflow}).Draw(t, "direction")
		list := l.Counterparties(direction, october, months)
		listed := map[string]bool{}
		for i, c := range list {
			want := slowCounterparty(l, direction, c.Key, months)
			if got := fmt.Sprint(c.Name, c.Total, c.Before, c.Months, c.Rows); got != want {
				t.Fatalf("%s\nbut the slow one is\n%s", got, want)
			}
			if listed[c.Key] || i > 0 && c.Total.Minor > list[i-1].Total.Minor {
				t.Fatalf("%s is listed twice or too late", c.Name)
			}
			listed[c.Key] = true
		}
		for _, r := range l.Rows {
			back := october.MonthsSince(r.Date.FirstOfMonth())
			if r.Purpose == spending.Operating && belongsTo(&r, direction) && back >= 0 && back < 2*months && !listed[r.Key] {
				t.Fatalf("%s is missing", r.CounterpartyName)
			}
		}
	})
}

func belongsTo(r *spending.Row, direction apiclient.Direction) bool {
	if r.IsRefund() {
		return direction == apiclient.Outflow
	}
	return r.Direction == direction
}

func slowCounterparty(l *spending.Ledger, direction apiclient.Direction, key string, months int) string {
	none := figures.Total{Currency: l.Currency}
	c := spending.Counterparty{Months: slices.Repeat([]figures.Total{none}, months), Total: none, Before: none}
	for i, r := range l.Rows {
		back := october.MonthsSince(r.Date.FirstOfMonth())
		if r.Key != key || !belongsTo(&r, direction) || r.Purpose != spending.Operating || back < 0 || back >= 2*months {
			continue
		}
		if c.Name == "" {
			c.Name = r.CounterpartyName
		}
		totals := []*figures.Total{&c.Before}
		if back < months {
			c.Rows = append(c.Rows, i)
			totals = []*figures.Total{&c.Total, &c.Months[back]}
		} else {
			c.RowsBefore = append(c.RowsBefore, i)
		}
		for _, total := range totals {
			switch cents, known := r.Reporting.Minor(); {
			case !known:
				total.Excluded++
			case r.IsRefund():
				total.Minor -= cents
			default:
				total.Minor += cents
			}
		}
	}
	c.Total.Unknown = len(c.Rows) > 0 && c.Total.Excluded == int64(len(c.Rows))
	for back := range c.Months {
		rows := int64(0)
		for _, i := range c.Rows {
			if october.MonthsSince(l.Rows[i].Date.FirstOfMonth()) == back {
				rows++
			}
		}
		c.Months[back].Unknown = rows > 0 && c.Months[back].Excluded == rows
	}
	c.Before.Unknown = len(c.RowsBefore) > 0 && c.Before.Excluded == int64(len(c.RowsBefore))
	return fmt.Sprint(c.Name, c.Total, c.Before, c.Months, c.Rows)
}

func TestRecurringEqualsASearchOfEachCounterparty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ledger(anyLedger(t)...)
		today := civil.New(2026, 11, 22)
		var got, want []string
		for _, r := range l.Recurring(today) {
			got = append(got, fmt.Sprint(r.Key, r.Direction, r.Rhythm, r.Payments))
		}
		type side struct {
			key       string
			direction apiclient.Direction
		}
		searched := map[side]bool{}
		for _, r := range l.Rows {
			s := side{r.Key, r.Direction}
			if searched[s] {
				continue
			}
			searched[s] = true
			var payments []recurrence.Payment
			for i, other := range l.Rows {
				cents, known := other.Reporting.Minor()
				if known && other.Key == s.key && other.Direction == s.direction && other.Purpose == spending.Operating &&
					other.CounterpartyName != counterparty.Unknown {
					payments = append(payments, recurrence.Payment{Date: other.Date, Cents: cents, Row: i})
				}
			}
			for _, found := range recurrence.Find(payments, today) {
				want = append(want, fmt.Sprint(s.key, s.direction, found.Rhythm, found.Payments))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q\nbut the slow search finds\n%q", got, want)
		}
	})
}
