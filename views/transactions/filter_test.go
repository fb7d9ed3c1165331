package transactions

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/internal/civil"
	"tarmac/views"
)

func TestFiltersAreChipsAndAskTheServer(t *testing.T) {
	d := open(t, 300)
	d.press("d")
	d.says("[money in]")
	if d.last().Direction != apiclient.Inflow {
		t.Errorf("asked for %+v", d.last())
	}
	d.press("/")
	if !d.Typing() {
		t.Fatal("letters would be commands")
	}
	d.write("acme q")
	d.press("enter")
	d.says(`[money in] ["acme q"]`)
	d.press("f")
	d.write("last month")
	d.press("enter")
	d.says(`[2026-10-01..2026-10-31]`)
	if q := d.last(); q.Keyword != "acme q" || q.From.String() != "2026-10-01" || q.To.String() != "2026-10-31" ||
		q.Cursor != "" ||
		q.Limit != 200 {
		t.Errorf("asked for %+v", q)
	}
	d.press("x")
	if q := d.last(); !q.From.IsZero() || q.Keyword != "acme q" {
		t.Errorf("x took off another than the last filter: %+v", q)
	}
	d.press("X")
	if q := d.last(); q != (apiclient.TransactionQuery{Limit: 200}) {
		t.Errorf("X left %+v", q)
	}
	d.says("no filter")
	before := len(d.server.queries)
	d.press("x", "X")
	if len(d.server.queries) != before {
		t.Error("taking off nothing asked the server")
	}
}

func TestAnotherScreenSaysWhatToShow(t *testing.T) {
	d := open(t, 300)
	d.press("/")
	d.write("half a word")
	d.drain(d.Show(views.TransactionsTarget{
		From: civil.MustParse("2026-10-01"), Direction: apiclient.Outflow, Keyword: "acme",
	}))
	d.says(`[money out] [2026-10-01..] ["acme"]`)
	if q := d.last(); q.From.String() != "2026-10-01" || !q.To.IsZero() || q.Direction != apiclient.Outflow ||
		q.Keyword != "acme" {
		t.Errorf("asked for %+v", q)
	}
	if d.Typing() {
		t.Error("what was being typed hides what is to be shown")
	}
	d.press("backspace")
	d.says("[money out] [2026-10-01..]  ")
	asked := len(d.server.queries)
	if cmd := d.Show(views.InvoiceTarget{ID: "inv_1"}); cmd != nil || len(d.server.queries) != asked {
		t.Error("another screen's target was taken")
	}
	d.drain(d.Show(views.TransactionsTarget{}))
	d.says("no filter")
}

func TestASavedFilterIsRestored(t *testing.T) {
	d := open(t, 30)
	d.press("d", "/")
	d.write("servers")
	d.press("enter", "f")
	d.write("2026-11")
	d.press("enter")

	next := open(t, 30)
	next.drain(next.Update(views.Restore{Filter: d.State().Kept.Filter}))

	got := next.last()
	if got != d.last() || got.Keyword != "servers" || got.Direction != apiclient.Inflow || got.From.IsZero() {
		t.Errorf("it requests %+v, want %+v", got, d.last())
	}
	next.says("[money in]", "[2026-11-01..2026-11-30]", `["servers"]`)
	next.press("X")
	if next.State().Filtered || next.State().Kept.Filter != (filters.Filter{}) {
		t.Errorf("X leaves %+v", next.State().Kept.Filter)
	}
}

func TestWhatCannotBeTypedIsNotRestored(t *testing.T) {
	d := open(t, 30)
	asked := len(d.server.queries)

	d.drain(d.Update(views.Restore{Filter: filters.Filter{Direction: "sideways", Dates: "2026-13-45", Type: "invoice.*"}}))

	if d.State().Filtered || len(d.server.queries) != asked {
		t.Errorf("the filter is %+v", d.State().Kept.Filter)
	}
}

// A page that has not been opened requests nothing when its filter is restored.
func TestAFilterIsRestoredBeforeThePageOpens(t *testing.T) {
	d := open(t, 30)
	unopened := New(d.Env, d.server)

	if unopened.Update(views.Restore{Filter: filters.Filter{Text: "rent"}}) != nil {
		t.Error("it requests rows")
	}
	d.Screen = unopened
	d.drain(d.Init())
	if got := d.last().Keyword; got != "rent" {
		t.Errorf("it then requests %q", got)
	}
}

func TestTheCursorIsOnTheTransactionThatAnotherScreenNames(t *testing.T) {
	for name, there := range map[string]bool{"the row": true, "a row that is gone": false} {
		t.Run(name, func(t *testing.T) {
			d := open(t, 400)
			want := d.server.page("").Data[30].ID
			if !there {
				want = "txn_gone"
			}
			day := civil.MustParse("2026-11-19")

			d.drain(d.Show(views.TransactionsTarget{From: day, To: day, ID: want}))

			if got := d.current().ID; there != (got == want) || d.seek != nil {
				t.Errorf("the cursor is on %s, seek %v", got, d.seek)
			}
		})
	}
}
