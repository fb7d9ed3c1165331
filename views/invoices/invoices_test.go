package invoices_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
)

func TestEachStatusIsAListOfItsOwn(t *testing.T) {
	d := open(t, 10)
	d.shows("INV-000010", "not sent", "in 5 days", "47 days overdue", "2 days late", "row 1 of 10", "no filter")
	for _, status := range []string{"draft", "sent", "overdue", "paid", "voided"} {
		d.press("tab")
		if got, want := d.server.requests[len(d.server.requests)-1], status+" 200"; got != want {
			t.Errorf("asked for %q, want %q", got, want)
		}
		d.shows("row 1 of 2")
	}
	d.press("tab")
	if n := len(d.server.requests); n != 6 {
		t.Errorf("a list that is known was asked for again: %q", d.server.requests)
	}
	d.press("shift+tab")
	d.shows("voided", "row 1 of 2")
}

func TestAListKeepsItsInvoiceWhenOneComesBack(t *testing.T) {
	d := open(t, 10)
	d.press("j", "j", "j", "tab", "shift+tab")
	d.shows("row 4 of 10")
}

// The server lists at most two hundred invoices. The screen says so when a list is that long.
func TestTheLimitOfAListIsSaid(t *testing.T) {
	d := open(t, 201)
	d.shows("newest 200  row 1 of 200")
	d.SetSize(80, 24)
	d.shows("newest 200  ")
	d = open(t, 199)
	d.hides("newest 200")
}

func TestSearchingNarrowsAsOneTypes(t *testing.T) {
	d := open(t, 9)
	d.press("/")
	d.write("MÜLLER")
	if !d.Typing() {
		t.Error("letters would be commands")
	}
	d.press("enter")
	d.shows(`["MÜLLER"]`, "row 1 of 3", "Müller & Söhne")
	d.hides("Northwind")
	d.press("/")
	d.write("xyz")
	d.press("esc")
	d.shows(`["MÜLLER"]`, "row 1 of 3")
	d.press("x")
	d.shows("no filter", "row 3 of 9")
	d.press("/")
	d.Update(tea.PasteMsg{Content: "inv_7\n"})
	d.shows("INV-000007")
	d.hides("INV-000008")
	d.press("esc", "/")
	d.write("nobody")
	d.press("enter")
	d.shows("None of these invoices match. x removes the last filter.")
	if d.helpLists("enter") || d.helpLists("s") {
		t.Error("keys are offered for an invoice that is not there")
	}
}

func TestADetailStandsBesideAWideListAndInPlaceOfANarrowOne(t *testing.T) {
	d := open(t, 10)
	d.SetSize(120, 36)
	d.press("j", "j", "enter")
	d.shows("Timeline (UTC)", "INV-000010", "overdue by 47 days", "2026-09-07 00:00  ● created", "● sent, 1 day later",
		"2026-10-04        ● due, 26 days later", "2026-10-05        ● overdue, 1 day later", "$3,703.68", "inv_8")
	d.press("j")
	d.shows("● paid", "2 days late")
	d.SetSize(80, 36)
	d.hides("INV-000010")
	d.press("h")
	d.shows("INV-000010", "row 4 of 10")
}

func TestAnInvoiceIsShownByItsID(t *testing.T) {
	d := build(t, 10)
	d.run(d.Show(views.InvoiceTarget{ID: "inv_4"}))
	if want := []string{"inv_4"}; !slices.Equal(d.server.requests, want) {
		t.Errorf("asked %q, want %q", d.server.requests, want)
	}
	d.shows("INV-000004", "Timeline (UTC)")
	d.press("y", "Y")
	if len(d.copied) != 2 || d.copied[0].Text != "INV-000004" || d.copied[1].Text != "inv_4" {
		t.Errorf("copied %v", d.copied)
	}
	if d.Back() {
		t.Error("esc does not lead back to the screen that asked")
	}
	d.advanceClock(time.Second)
	d.shows("row 1 of 10")
}

func TestAnInvoiceThatIsNotThereIsAnAnswer(t *testing.T) {
	d := build(t, 3)
	d.run(d.Show(views.InvoiceTarget{ID: "inv_99"}))
	d.shows("No invoice inv_99.")
	d.advanceClock(time.Hour)
	if len(d.server.requests) != 1 {
		t.Errorf("asked %q", d.server.requests)
	}
	d.run(d.Refresh())
	if len(d.server.requests) != 2 {
		t.Error("refreshing asks for nothing")
	}
}

func TestACustomersInvoicesAreAFilter(t *testing.T) {
	d := build(t, 30)
	d.run(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "müller & söhne"}))
	d.shows("[müller & söhne]", "row 1 of 2")
	if want := []string{"overdue 200"}; !slices.Equal(d.server.requests, want) {
		t.Errorf("asked %q, want %q", d.server.requests, want)
	}
	d.hides("Northwind")
	d.press("x")
	d.shows("no filter", "row 1 of 6", "Northwind")
	if d.helpLists("x") {
		t.Error("x is offered without a filter")
	}
	d.run(d.Show("something else"))
	d.shows("row 1 of 6")
}

func TestNewsOfInvoicesRenewTheList(t *testing.T) {
	d := open(t, 4)
	d.poll()
	d.press("j", "enter")
	d.server.invoices = append(testInvoices(5)[:1:1], d.server.invoices...)
	d.server.addEvent(apiclient.EventPaymentHeld)
	d.poll()
	d.advanceClock(time.Minute)
	if len(d.server.requests) != 1 {
		t.Errorf("a payment made it ask: %q", d.server.requests)
	}
	d.server.addEvent(apiclient.EventInvoiceSent)
	d.poll()
	d.shows("row 3 of 5")
	for range 3 {
		d.server.addEvent(apiclient.EventInvoicePaid)
		d.poll()
	}
	if len(d.server.requests) != 2 {
		t.Errorf("each event made it ask: %q", d.server.requests)
	}
	d.advanceClock(5 * time.Second)
	if len(d.server.requests) != 3 {
		t.Errorf("the last events were forgotten: %q", d.server.requests)
	}
	d.press("tab", "tab", "enter")
	d.server.invoices = testInvoices(1)
	d.advanceClock(time.Minute)
	d.run(d.Refresh())
	d.shows("No sent invoices.")
	if want := "INV-000003 is no longer in this list"; !slices.Contains(d.said, want) {
		t.Errorf("said %q, not %q", d.said, want)
	}
}

func TestNothingIsAskedBeforeTheScreenIsOpened(t *testing.T) {
	d := build(t, 4)
	d.poll()
	d.advanceClock(time.Minute)
	if len(d.server.requests) != 0 {
		t.Errorf("asked %q", d.server.requests)
	}
}

func TestALateAnswerIsDropped(t *testing.T) {
	d := open(t, 4)
	first := d.Refresh()
	late := first()
	d.run(d.Update(late))
	d.server.invoices = testInvoices(2)
	second := d.Refresh()
	d.run(d.Update(late))
	d.run(d.Update(second()))
	d.shows("row 1 of 2")
	d.run(d.Update(late))
	d.shows("row 1 of 2")
}

func TestAFailureIsSaidAndTriedAgain(t *testing.T) {
	d := build(t, 4)
	d.server.fail = errors.New("broken pipe")
	d.run(d.Init())
	d.shows("Could not load: broken pipe.", "retry in 2s · r now")
	d.advanceClock(time.Second)
	if len(d.server.requests) != 1 {
		t.Error("it was tried again too early")
	}
	d.server.fail = nil
	d.advanceClock(time.Second)
	d.shows("row 1 of 4")
	d.server.fail = errors.New("broken pipe")
	d.run(d.Refresh())
	d.shows("◌ stale", "broken pipe", "row 1 of 4")
	d.server.fail = &apiclient.Error{Status: 403, Scope: "invoices:read", Message: "missing scope"}
	d.run(d.Refresh())
	d.shows("The token lacks the scope invoices:read.")
	d.hides("INV-")
	for _, name := range []string{"s", "y", "/", "tab", "e"} {
		if d.helpLists(name) {
			t.Errorf("%s is offered for what may not be read", name)
		}
	}
}

// During an outage the list is shown as stale. It is fetched again once polling the feed succeeds.
func TestAListGoesAndComesBackWithTheServer(t *testing.T) {
	for _, away := range []error{&apiclient.NetworkError{Err: errors.New("refused")}, &apiclient.Error{Status: 503}} {
		d := open(t, 4)
		d.server.failFeed = away
		d.poll()
		d.shows("◌ stale")
		asked := len(d.server.requests)
		d.advanceClock(time.Minute)
		if len(d.server.requests) != asked {
			t.Error("it asks a server that is away")
		}
		d.server.failFeed = nil
		d.poll()
		d.hides("stale")
		if len(d.server.requests) != asked+1 {
			t.Errorf("asked %q", d.server.requests)
		}
	}
}

func TestANewInvoiceIsAScreenAwayUnlessNothingMayBeWritten(t *testing.T) {
	d := open(t, 4)
	d.press("n")
	if len(d.visits) != 1 || d.visits[0] != (views.Visit{Screen: views.Propose, Target: views.ProposeTarget{}}) {
		t.Errorf("visits %v", d.visits)
	}
	d = open(t, 4, func(o *views.Env) { o.ReadOnly = true })
	d.press("n")
	if d.helpLists("n") || len(d.visits) != 0 {
		t.Error("a read-only session leads to a new invoice")
	}
	if want := []string{"read-only session: no invoice can be proposed"}; !slices.Equal(d.said, want) {
		t.Errorf("it says %q, want %q", d.said, want)
	}
}

// A filter left on the list must not hide the new draft.
func TestAnInvoiceJustCreatedIsNotHiddenByAFilterLeftHere(t *testing.T) {
	for name, leave := range map[string]func(d *fixture){
		"a customer of the receivables": func(d *fixture) {
			d.run(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "Müller & Söhne"}))
		},
		"days past due": func(d *fixture) {
			bucket := views.DaysPastDue{Name: "Over 90 days", From: 91, To: 999}
			d.run(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceSent, PastDue: bucket}))
		},
		"a text":  func(d *fixture) { d.press("/"); d.write("trav"); d.press("enter") },
		"nothing": func(*fixture) {},
	} {
		d := open(t, 12)
		leave(d)
		draft := apiclient.Invoice{
			ID:            "inv_new",
			Number:        "INV-NEW",
			Status:        apiclient.InvoiceDraft,
			RecipientName: "Contoso",
			CreatedAt:     d.at,
		}
		d.server.invoices = append([]apiclient.Invoice{draft}, d.server.invoices...)

		d.run(d.Update(views.InvoiceCreated{ID: "inv_new"}))
		d.advanceClock(10 * time.Second)
		d.press("enter")

		if d.Filtered() {
			t.Errorf("%s: a filter is left", name)
		}
		d.shows("INV-NEW", "Contoso", "not sent", "row 1 of 13")
	}
}

func TestTotalsBehindReceivablesSayThatTheyAreBeforePartPayments(t *testing.T) {
	const says = "Totals are before part payments; Receivables counts what is still owed."
	d := open(t, 12)
	d.hides(says)
	for _, target := range []views.InvoicesTarget{
		{Status: apiclient.InvoiceOverdue, Customer: "Müller & Söhne"}, {Status: apiclient.InvoiceOverdue},
		{Status: apiclient.InvoiceSent, PastDue: views.DaysPastDue{Name: "not due", From: -999, To: 0}},
	} {
		d.run(d.Show(target))
		for _, width := range []int{80, 120, 200} {
			d.SetSize(width, 21)
			d.shows(says)
		}
	}
	d.press("x")
	d.hides(says)
}
