package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/views"
)

// many returns a ledger of n rows that each have another counterparty.
func many(n int) *spending.Ledger {
	rows := make([]apiclient.Transaction, n)
	for i := range rows {
		rows[i] = apiclient.Transaction{
			CounterpartyName: fmt.Sprintf("Counterparty Nº %d of Łódź", n-i), Date: civil.MustParse("2026-11-20"),
		}
	}
	return spending.NewLedger(rows, nil, nil)
}

func names(entries []entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.name)
	}
	return all
}

func TestTheFinderListsFiveRecordsOfAKindBestFirst(t *testing.T) {
	x := index{names: ledgerNames(many(2000)), invoices: true}
	for _, r := range []views.Record{
		{Kind: views.InvoiceRecord, Name: "INV-000017", Hint: "Osprey Analytics"},
		{Kind: views.MonthRecord, Name: "October 2026", Hint: "2026-10"},
		{Kind: views.AccountRecord, Name: "Harbor …4821"},
		views.NameOf("Osprey Analytics"), views.NameOf("The Osprey"), views.NameOf("Great Osprey"),
	} {
		x.records = append(x.records, newIndexed(r))
	}
	all := func(typed string) string { return "search all transactions for “" + typed + "”" }
	invoices := func(typed string) string { return "search invoices for “" + typed + "”" }
	for _, c := range []struct {
		typed string
		want  []string
	}{
		{"osprey", []string{"Osprey Analytics", "The Osprey", "Great Osprey", "INV-000017", all("osprey")}},
		{"łódź 17", []string{
			"Counterparty Nº 1917 of Łódź", "Counterparty Nº 1817 of Łódź", "Counterparty Nº 1799 of Łódź",
			"Counterparty Nº 1798 of Łódź", "Counterparty Nº 1797 of Łódź", invoices("łódź 17"), all("łódź 17"),
		}},
		{"2026-10", []string{"October 2026", invoices("2026-10"), all("2026-10")}},
		{"000017", []string{"INV-000017", all("000017")}},
		{"4821", []string{"Harbor …4821", invoices("4821"), all("4821")}},
		{"nobody", []string{all("nobody")}},
	} {
		if got := names(x.find(c.typed)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.typed, got)
		}
	}
}

func TestTheFinderOpensWhatIsInMemory(t *testing.T) {
	d := withHistory(t)
	d.after(0)
	d.press(":")
	d.press(strings.Split("łukasz", "")...)
	d.shows("Łukasz 株式会社", "search all transactions for “łukasz”")
	d.press("enter")
	d.shows(`"Łukasz 株式会社"`)
	if d.session.pages[d.session.active].Name != views.Transactions {
		t.Error("another page is open")
	}
	d.press("1", ":")
	d.press(strings.Split("no such name", "")...)
	d.press("enter")
	d.shows(`"no such name"`)
}

func TestTheFinderSearchesInvoicesThatAreNotInMemory(t *testing.T) {
	d := withHistory(t)
	d.press(":", "9", "9", "9", "enter")
	d.shows(`"999"`)
	if d.session.pages[d.session.active].Name != views.Invoices {
		t.Error("another page is open")
	}
}

func TestNamesThatArriveWhileTheFinderIsOpenLeaveTheCursorWhereItIs(t *testing.T) {
	d := open(t, healthy())
	d.press(":", "o", "down", "down")
	before := d.palette.found[d.palette.cursor].name
	d.handle(answer{d.session, noPage, namesIndexed{nil, ledgerNames(many(9))}})
	if after := d.palette.found[d.palette.cursor].name; after != before || !slices.ContainsFunc(d.palette.found,
		func(e entry) bool { return strings.HasPrefix(e.name, "Counterparty") }) {
		t.Errorf("the cursor moved from %q to %q in %q", before, after, names(d.palette.found))
	}
}

func TestTheListOfKeysFindsANameAndAKey(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "?")
	if first := d.palette.found[0]; first.group != "Transactions" {
		t.Errorf("it begins with %+v", first)
	}
	d.press("T")
	if first := d.palette.found[0]; first.name != "next theme" {
		t.Errorf("T finds %q first", first.name)
	}
	d.press("enter")
	d.shows("theme: ")
	d.press("?")
	d.press(strings.Split("filter", "")...)
	d.press("enter")
	if !d.front().State().Typing {
		t.Error("enter did not run the action")
	}
}

func TestADigitWithoutAPageAnswers(t *testing.T) {
	d := open(t, healthy())
	d.press("9")
	d.shows("Books: for your own bank files · : import")
	d.press("0")
	d.shows("no page has this digit")
	if d.session.active != 0 {
		t.Error("another page is open")
	}
}

func TestAJumpLeadsWhereARowIsTooAndBack(t *testing.T) {
	d := open(t, linked())
	for _, c := range []struct {
		from  []string
		to    string // what is typed in the list of places
		lands string
	}{
		{[]string{"4"}, "recurs", views.Spend},
		{[]string{"4"}, "owes", views.Receivables},
		{[]string{"5"}, "weeks", views.Runway},
		{[]string{"5"}, "transactions", views.Transactions},
	} {
		d.press(c.from...)
		at := d.session.active
		d.press(".")
		d.shows("Where else")
		d.press(strings.Split(c.to, "")...)
		d.press("enter")
		if got := d.session.pages[d.session.active].Name; got != c.lands {
			t.Errorf("%q from page %v led to %s", c.to, c.from, got)
		}
		for range 3 {
			if d.session.active != at {
				d.press("esc")
			}
		}
		if d.session.active != at {
			t.Errorf("esc from %s does not return", c.lands)
		}
	}
	d.press("1")
	if d.press("."); d.palette.open {
		t.Error("a page without a row offers places")
	}
}

// A key must take less than a frame, 16 ms.
func BenchmarkAKeyInTheFinderOver50000Names(b *testing.B) {
	x := index{names: ledgerNames(many(50000))}
	for _, typed := range []string{"o", "counter", "łódź 49", "none"} {
		b.Run(typed, func(b *testing.B) {
			for b.Loop() {
				x.find(typed)
			}
		})
	}
}
