package spend_test

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

// byCategory gives the rows of some counterparties a category.
func byCategory(o *sample.Organization) {
	for i := range o.Rows {
		switch name := o.Rows[i].CounterpartyName; {
		case strings.Contains(name, "Gusto"), strings.Contains(name, "ayroll"):
			o.Rows[i].Category = "Payroll"
		case strings.Contains(name, "Cloud"):
			o.Rows[i].Category = "cloud"
		case name < "M":
			o.Rows[i].Category = "Cloud"
		}
	}
}

func TestWithoutCategoriesSpendHasNoneToChoose(t *testing.T) {
	r := open(t, nil)
	before := sample.Text(r)
	r.press("c")
	if after := sample.Text(r); after != before || strings.Contains(before, "ategor") {
		t.Errorf("it shows\n%s", after)
	}
}

func TestSpendIsGroupedByCategoryAndOpensTheRows(t *testing.T) {
	r := open(t, byCategory)

	r.press("c")

	sample.CheckText(t, r, "Categories", "Category", "Payroll", "Cloud", spending.NoCategory, "[by category]")
	r.press("enter")
	sample.CheckText(t, r, "Categories ›", "Category")
	r.press("esc", "x")
	sample.CheckText(t, r, "Counterparties", "no filter")
}

func TestACategoryWrittenAtARowCountsAtOnce(t *testing.T) {
	r := open(t, byCategory)
	r.press("c", "enter", "c")
	r.typed("Special")
	r.press("enter")
	sample.CheckText(t, r, "Special")
	r.press("esc")
	sample.CheckText(t, r, "Special")
	r.press("G", "enter", "u")
}

// The sums by category leave out and add up to what those by counterparty do.
func TestSumsByCategoryAreThoseByCounterparty(t *testing.T) {
	o := sample.New()
	byCategory(o)
	ledger := spending.NewLedger(o.Rows, nil, nil)
	newest := civil.Of(sample.Now).FirstOfMonth().AddMonths(-1)
	set := annotations.Set{o.Rows[0].ID: {Category: "own"}}
	of := func(t *apiclient.Transaction) string { return set.Of(t).Category }

	for _, direction := range []apiclient.Direction{apiclient.Inflow, apiclient.Outflow} {
		var want, got [3]int64
		for _, c := range ledger.Counterparties(direction, newest, 3) {
			want[0], want[1], want[2] = want[0]+c.Total.Minor, want[1]+c.Before.Minor, want[2]+c.Total.Excluded
		}
		for _, c := range ledger.Categories(direction, newest, 3, of) {
			got[0], got[1], got[2] = got[0]+c.Total.Minor, got[1]+c.Before.Minor, got[2]+c.Total.Excluded
			o := record.Counterparty(&c, record.Rows{}, direction)
			if o[0].Name != "category" || o.Get("counterparty_name").Name != "" {
				t.Errorf("%s is described as %v", c.Name, o[0])
			}
		}
		if got != want || want[0] == 0 {
			t.Errorf("%s: %v, want %v", direction, got, want)
		}
	}
}

func TestCategoriesAreKeptForTheNextSession(t *testing.T) {
	r := open(t, byCategory)
	r.press("c")
	next := open(t, byCategory)
	next.Update(views.Restore{Shown: r.State().Kept.Shown})
	sample.CheckText(t, next, "[by category]")
	none := open(t, nil)
	none.Update(views.Restore{Shown: r.State().Kept.Shown})
	sample.CheckText(t, none, "Counterparties", "no filter")
}
