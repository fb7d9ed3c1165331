package transactions

import (
	"testing"

	"tarmac/apiclient"
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
