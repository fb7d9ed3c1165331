package transactions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/seek"
	"tarmac/views"
)

// unsorted returns a screen on a listing whose amounts and names are in no order.
func unsorted(t *testing.T, rows int) *fixture {
	t.Helper()
	d := open(t, 0)
	d.server.alter = func(number int, row *apiclient.Transaction) {
		cents := int64(number*7919%rows + 1)
		row.Amount = apiclient.NewAmount(cents, "USD")
		row.Reporting, row.USD = row.Amount, row.Amount
		row.CounterpartyName = fmt.Sprintf("Vendor %05d", number*104729%rows)
	}
	d.server.insert(0, rows)
	d.drain(d.Refresh())
	return d
}

// amounts returns the USD cents of all rows, in the order of the list.
func (d *fixture) amounts() (all []int64) {
	for i := range d.list.Table.Reach() {
		t, ok := d.row(i)
		if !ok {
			d.t.Fatalf("row %d is not in memory", i)
		}
		cents, _ := t.Reporting.Minor()
		all = append(all, cents)
	}
	return all
}

func TestTheListIsSortedOnlyWhenAllRowsHaveBeenRead(t *testing.T) {
	d := unsorted(t, 1100)

	cmd := d.Update(press("S"))
	for pages := 1; cmd != nil; pages++ {
		d.says("sorting by amount: ", " of 1,100 read · esc")
		if d.sorting.order != byDate || d.current().ID != "tx_0000001" {
			t.Fatalf("after %d pages the list is sorted", pages-1)
		}
		if cmd = d.Update(cmd()); pages == 6 {
			break
		}
	}
	d.drain(cmd)

	got := d.amounts()
	if len(got) != 1100 || !slices.IsSortedFunc(got, func(a, b int64) int { return int(b - a) }) || got[0] != 1100 {
		t.Errorf("%d rows, beginning with %v", len(got), got[:min(len(got), 5)])
	}
	d.says("largest amount first", "row 1 of 1,100")
}

func TestSGoesThroughAllOrdersAndBack(t *testing.T) {
	d := unsorted(t, 300)
	d.press("j", "j", "j")
	before := d.current().ID

	d.press("S")
	asked := len(d.server.queries)
	d.press("S")
	d.says("counterparties from A to Z", "Vendor 00000")
	if len(d.server.queries) != asked {
		t.Error("rows are read again for another order")
	}
	for d.current().ID != before {
		d.press("j")
	}
	d.press("S")

	d.says("row 4 of 300")
	if d.sorting.order != byDate || d.current().ID != before {
		t.Errorf("back at the dates, the cursor is on %s", d.current().ID)
	}
}

// Rows that are all in memory need no requests.
func TestAFewRowsAreSortedAtOnce(t *testing.T) {
	d := unsorted(t, 150)
	asked := len(d.server.queries)

	d.press("S")

	d.says("largest amount first")
	if len(d.server.queries) != asked {
		t.Error("rows are read again")
	}
}

func TestTooManyRowsAreNotSorted(t *testing.T) {
	d := read(t, million())
	asked := len(d.ledger.queries)

	d.Update(press("S"))

	f := &fixture{t: t, Screen: d.Screen}
	f.says("1,000,000 transactions match; at most 5,000 can be sorted: filter by dates (f)")
	if d.sorting.reading || len(d.ledger.queries) != asked {
		t.Error("rows are read")
	}
}

func TestEscStopsReadingRowsToSortThem(t *testing.T) {
	d := unsorted(t, 1000)
	cmd := d.Update(press("S"))
	cmd = d.Update(cmd())

	if !d.Back() {
		t.Fatal("esc does nothing")
	}
	d.drain(cmd)

	if d.sorting.order != byDate || d.sorting.reading || d.sorting.read != nil {
		t.Errorf("the state is %+v", d.sorting.order)
	}
	d.press("j")
	d.says("row 2 of 1,000")
}

// A filter leads back to the order of the server, because it selects other rows.
func TestAFilterEndsTheSorting(t *testing.T) {
	d := unsorted(t, 300)
	d.press("S", "d")

	if d.sorting.order != byDate || len(d.sorting.rows) > 0 {
		t.Error("the list is still sorted")
	}
}

func TestALedgerThatChangesIsReadOnceMore(t *testing.T) {
	d := unsorted(t, 1000)
	cmd := d.Update(press("S"))
	cmd = d.Update(cmd())
	d.server.insert(700, 1) // below the page that was read

	d.drain(cmd)

	if got := d.amounts(); len(got) != 1001 || d.input.problem != "" {
		t.Errorf("%d rows, %q", len(got), d.input.problem)
	}
}

func TestALedgerThatKeepsChangingIsSortedWithADifference(t *testing.T) {
	d := unsorted(t, 1000)
	for cmd := d.Update(press("S")); cmd != nil; {
		cmd = d.Update(cmd())
		d.server.insert(900, 1)
	}

	d.says("the ledger changes while it is read: it has", "largest amount first")
}

// A server that returns pages without end is not read without end.
func TestAListingWithoutEndIsNotRead(t *testing.T) {
	d := unsorted(t, 1000)
	before := len(d.server.queries)
	for cmd := d.Update(press("S")); cmd != nil; {
		cmd = d.Update(cmd())
		d.server.insert(len(d.server.ids), seek.PageRows)
	}

	d.says("not sorted: more than 5,000 transactions match")
	if asked := len(d.server.queries) - before; asked > 30 {
		t.Errorf("%d requests", asked)
	}
}

func TestReadingContinuesAfterAFailure(t *testing.T) {
	d := unsorted(t, 700)
	cmd := d.Update(press("S"))
	cmd = d.Update(cmd())
	d.server.fail = errors.New("the server cannot be reached")
	d.drain(cmd)
	d.says("the server cannot be reached")

	d.server.fail = nil
	d.clock.at = d.clock.at.Add(60e9)
	d.drain(d.Update(views.Tick{Now: d.clock.at}))

	if got := d.amounts(); d.sorting.order != byAmount || len(got) != 700 {
		t.Errorf("%d rows in order of %v", len(got), d.sorting.order)
	}
}

func TestASortedListIsReadAgainOnRefresh(t *testing.T) {
	d := unsorted(t, 300)
	d.press("S", "j", "j")
	before := d.current().ID
	d.server.insert(0, 2)
	d.latest()
	d.says("▲ newer transactions: r")

	d.drain(d.Refresh())

	if got := d.amounts(); len(got) != 302 || d.current().ID != before {
		t.Errorf("%d rows, and the cursor is on %s instead of %s", len(got), d.current().ID, before)
	}
}

// What the keys do with a row, they do with the sorted one.
func TestDetailsAndCopiesAreOfTheSortedRow(t *testing.T) {
	d := unsorted(t, 300)
	d.press("S", "enter")
	d.says("$3.00", d.current().ID)

	d.press("y")
	if d.input.copying == nil || d.input.copying.ID != d.current().ID {
		t.Error("another row is copied")
	}
}

func TestAmountsBeyondAllBoundsAreSorted(t *testing.T) {
	usd := func(cents ...int64) (rows []apiclient.Transaction) {
		for _, c := range cents {
			rows = append(rows, apiclient.Transaction{Reporting: apiclient.NewAmount(c, "USD")})
		}
		return append(rows, apiclient.Transaction{})
	}
	got := sortedIndexes(byAmount, usd(5, math.MinInt64, 0, math.MaxInt64, -7))
	if !slices.Equal(got, []int{1, 3, 4, 0, 2, 5}) {
		t.Errorf("the order is %v", got)
	}
}

// However amounts and names are spread, each order has every row once, and equal rows keep the
// order of the server.
func TestEveryOrderHasAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]apiclient.Transaction, rapid.IntRange(0, 60).Draw(t, "rows"))
		for i := range rows {
			rows[i].CounterpartyName = rapid.SampledFrom([]string{"", "a", "A", "Ä", "株式会社"}).Draw(t, "name")
			if cents := rapid.Int64Range(-3, 3).Draw(t, "cents"); cents != 0 {
				rows[i].Reporting = apiclient.NewAmount(cents, "USD")
			}
		}
		for o := byAmount; o < orders; o++ {
			got := sortedIndexes(o, rows)
			for n := 1; n < len(got); n++ {
				a, b := rows[got[n-1]], rows[got[n]]
				if o == byAmount && a.Reporting == b.Reporting && got[n-1] > got[n] ||
					o == byCounterparty && a.CounterpartyName == b.CounterpartyName && got[n-1] > got[n] {
					t.Fatalf("by %v, equal rows are exchanged: %v", o, got)
				}
			}
			slices.Sort(got)
			for i := range got {
				if got[i] != i {
					t.Fatalf("by %v, the rows are %v", o, got)
				}
			}
		}
	})
}
