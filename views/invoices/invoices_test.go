package invoices_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
)

func TestEachStatusIsAListOfItsOwn(t *testing.T) {
	d := open(t, 10)
	d.says("INV-000010", "not sent", "in 5 days", "47 days overdue", "2 days late", "row 1 of 10", "no filter")
	for _, status := range []string{"draft", "sent", "overdue", "paid", "voided"} {
		d.press("tab")
		if got, want := d.server.requests[len(d.server.requests)-1], status+" 200"; got != want {
			t.Errorf("asked for %q, want %q", got, want)
		}
		d.says("row 1 of 2")
	}
	d.press("tab")
	if n := len(d.server.requests); n != 6 {
		t.Errorf("a list that is known was asked for again: %q", d.server.requests)
	}
	d.press("shift+tab")
	d.says("voided", "row 1 of 2")
}

func TestAListKeepsItsInvoiceWhenOneComesBack(t *testing.T) {
	d := open(t, 10)
	d.press("j", "j", "j", "tab", "shift+tab")
	d.says("row 4 of 10")
}

// The server lists at most two hundred invoices; the screen says so.
func TestTheLimitOfAListIsSaid(t *testing.T) {
	d := open(t, 201)
	d.says("newest 200: the API lists no older ones", "row 1 of 200")
	d.SetSize(80, 24)
	d.says("newest 200 only")
	d = open(t, 199)
	d.saysNot("newest 200")
}

func TestSearchingNarrowsAsOneTypes(t *testing.T) {
	d := open(t, 9)
	d.press("/")
	d.write("MÜLLER")
	if !d.Typing() {
		t.Error("letters would be commands")
	}
	d.press("enter")
	d.says(`["MÜLLER"]`, "row 1 of 3", "Müller & Söhne")
	d.saysNot("Northwind")
	d.press("/")
	d.write("xyz")
	d.press("esc")
	d.says(`["MÜLLER"]`, "row 1 of 3")
	d.press("x")
	d.says("no filter", "row 3 of 9")
	d.press("/")
	d.Update(tea.PasteMsg{Content: "inv_7\n"})
	d.says("INV-000007")
	d.saysNot("INV-000008")
	d.press("esc", "/")
	d.write("nobody")
	d.press("enter")
	d.says("None of these invoices match. x removes the last filter.")
	if d.offers("enter") || d.offers("s") {
		t.Error("keys are offered for an invoice that is not there")
	}
}

func TestADetailStandsBesideAWideListAndInPlaceOfANarrowOne(t *testing.T) {
	d := open(t, 10)
	d.SetSize(120, 36)
	d.press("j", "j", "enter")
	d.says("Timeline (UTC)", "INV-000010", "overdue by 47 days", "2026-09-07 00:00  ● created", "● sent, 1 day later",
		"2026-10-04        ● due, 26 days later", "2026-10-05        ● overdue, 1 day later", "$3,703.68", "inv_8")
	d.press("j")
	d.says("● paid", "2 days late")
	d.SetSize(80, 36)
	d.saysNot("INV-000010")
	d.press("h")
	d.says("INV-000010", "row 4 of 10")
}

func TestAnInvoiceIsShownByItsID(t *testing.T) {
	d := build(t, 10)
	d.drain(d.Show(views.InvoiceTarget{ID: "inv_4"}))
	if want := []string{"inv_4"}; !slices.Equal(d.server.requests, want) {
		t.Errorf("asked %q, want %q", d.server.requests, want)
	}
	d.says("INV-000004", "Timeline (UTC)")
	d.press("y", "Y")
	if len(d.copied) != 2 || d.copied[0].Text != "INV-000004" || d.copied[1].Text != "inv_4" {
		t.Errorf("copied %v", d.copied)
	}
	if d.Back() {
		t.Error("esc does not lead back to the screen that asked")
	}
	d.wait(time.Second)
	d.says("row 1 of 10")
}

func TestAnInvoiceThatIsNotThereIsAnAnswer(t *testing.T) {
	d := build(t, 3)
	d.drain(d.Show(views.InvoiceTarget{ID: "inv_99"}))
	d.says("No invoice inv_99.")
	d.wait(time.Hour)
	if len(d.server.requests) != 1 {
		t.Errorf("asked %q", d.server.requests)
	}
	d.drain(d.Refresh())
	if len(d.server.requests) != 2 {
		t.Error("refreshing asks for nothing")
	}
}

func TestACustomersInvoicesAreAFilter(t *testing.T) {
	d := build(t, 30)
	d.drain(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "müller & söhne"}))
	d.says("[müller & söhne]", "row 1 of 2")
	if want := []string{"overdue 200"}; !slices.Equal(d.server.requests, want) {
		t.Errorf("asked %q, want %q", d.server.requests, want)
	}
	d.saysNot("Northwind")
	d.press("x")
	d.says("no filter", "row 1 of 6", "Northwind")
	if d.offers("x") {
		t.Error("x is offered without a filter")
	}
	d.drain(d.Show("something else"))
	d.says("row 1 of 6")
}

func TestNewsOfInvoicesRenewTheList(t *testing.T) {
	d := open(t, 4)
	d.poll()
	d.press("j", "enter")
	d.server.invoices = append(testInvoices(5)[:1:1], d.server.invoices...)
	d.server.happens(apiclient.EventPaymentHeld)
	d.poll()
	d.wait(time.Minute)
	if len(d.server.requests) != 1 {
		t.Errorf("a payment made it ask: %q", d.server.requests)
	}
	d.server.happens(apiclient.EventInvoiceSent)
	d.poll()
	d.says("row 3 of 5")
	for range 3 {
		d.server.happens(apiclient.EventInvoicePaid)
		d.poll()
	}
	if len(d.server.requests) != 2 {
		t.Errorf("each event made it ask: %q", d.server.requests)
	}
	d.wait(5 * time.Second)
	if len(d.server.requests) != 3 {
		t.Errorf("the last events were forgotten: %q", d.server.requests)
	}
	d.press("tab", "tab", "enter")
	d.server.invoices = testInvoices(1)
	d.wait(time.Minute)
	d.drain(d.Refresh())
	d.says("No sent invoices.")
	if want := "INV-000003 is no longer in this list"; !slices.Contains(d.said, want) {
		t.Errorf("said %q, not %q", d.said, want)
	}
}

func TestNothingIsAskedBeforeTheScreenIsOpened(t *testing.T) {
	d := build(t, 4)
	d.poll()
	d.wait(time.Minute)
	if len(d.server.requests) != 0 {
		t.Errorf("asked %q", d.server.requests)
	}
}

func TestALateAnswerIsDropped(t *testing.T) {
	d := open(t, 4)
	first := d.Refresh()
	late := first()
	d.drain(d.Update(late))
	d.server.invoices = testInvoices(2)
	second := d.Refresh()
	d.drain(d.Update(late))
	d.drain(d.Update(second()))
	d.says("row 1 of 2")
	d.drain(d.Update(late))
	d.says("row 1 of 2")
}

func TestAFailureIsSaidAndTriedAgain(t *testing.T) {
	d := build(t, 4)
	d.server.fail = errors.New("broken pipe")
	d.drain(d.Init())
	d.says("Could not load: broken pipe.", "retry in 2s · r now")
	d.wait(time.Second)
	if len(d.server.requests) != 1 {
		t.Error("it was tried again too early")
	}
	d.server.fail = nil
	d.wait(time.Second)
	d.says("row 1 of 4")
	d.server.fail = errors.New("broken pipe")
	d.drain(d.Refresh())
	d.says("◌ stale", "broken pipe", "row 1 of 4")
	d.server.fail = &apiclient.Error{Status: 403, Scope: "invoices:read", Message: "missing scope"}
	d.drain(d.Refresh())
	d.says("The token lacks the scope invoices:read.")
	d.saysNot("INV-")
	for _, name := range []string{"s", "y", "/", "tab", "e"} {
		if d.offers(name) {
			t.Errorf("%s is offered for what may not be read", name)
		}
	}
}

// During an outage the list is stale, like all other data. It is read again once the feed
// works.
func TestAListGoesAndComesBackWithTheServer(t *testing.T) {
	for _, away := range []error{&apiclient.NetworkError{Err: errors.New("refused")}, &apiclient.Error{Status: 503}} {
		d := open(t, 4)
		d.server.failFeed = away
		d.poll()
		d.says("◌ stale")
		asked := len(d.server.requests)
		d.wait(time.Minute)
		if len(d.server.requests) != asked {
			t.Error("it asks a server that is away")
		}
		d.server.failFeed = nil
		d.poll()
		d.saysNot("stale")
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
	if d.offers("n") || len(d.visits) != 0 {
		t.Error("a read-only session leads to a new invoice")
	}
}

// The text about the due date changes at midnight, with no message other than a tick.
func TestDaysGoOnAtMidnight(t *testing.T) {
	d := open(t, 10)
	d.wait(10 * time.Hour)
	d.says("48 days overdue", "in 4 days")
}

func TestStandingToTheDueDateIsSaidInWords(t *testing.T) {
	for _, c := range []struct {
		status apiclient.InvoiceStatus
		due    string
		paid   string
		want   string
	}{
		{apiclient.InvoiceSent, "2026-11-20", "", "today"}, {apiclient.InvoiceSent, "2026-11-21", "", "tomorrow"},
		{apiclient.InvoiceSent, "2026-11-19", "", "1 day past due"}, {apiclient.InvoiceSent, "", "", "no due date"},
		{apiclient.InvoiceOverdue, "2026-11-19", "", "1 day overdue"}, {apiclient.InvoiceDraft, "2026-11-19", "", "not sent"},
		{apiclient.InvoicePaid, "2026-11-19", "2026-11-19", "on the due date"},
		{apiclient.InvoicePaid, "2026-11-19", "2026-11-10", "9 days early"},
		{apiclient.InvoicePaid, "2026-11-10", "2026-11-11", "1 day late"},
	} {
		d := build(t, 1)
		i := &d.server.invoices[0]
		i.Status, i.DueDate, i.PaidAt = c.status, nil, nil
		if c.due != "" {
			i.DueDate = date(c.due)
		}
		if c.paid != "" {
			i.PaidAt = date(c.paid)
		}
		d.drain(d.Init())
		if !strings.Contains(d.text(), " "+c.want+" ") {
			t.Errorf("%s due %s paid %s does not say %q:\n%s", c.status, c.due, c.paid, c.want, d.text())
		}
	}
}

func TestOnlyWhatWasOpenAfterItsDayFellOverdue(t *testing.T) {
	for _, c := range []struct {
		what, due, sent, paid, voided string
		status                        apiclient.InvoiceStatus
		want                          bool
	}{
		{"paid late", "2026-11-01", "2026-10-20", "2026-11-05", "", apiclient.InvoicePaid, true},
		{"paid in time", "2026-11-01", "2026-10-20", "2026-11-01", "", apiclient.InvoicePaid, false},
		{"voided late", "2026-11-01", "2026-10-20", "", "2026-11-05", apiclient.InvoiceVoided, true},
		{"voided in time", "2026-11-01", "2026-10-20", "", "2026-10-25", apiclient.InvoiceVoided, false},
		{"a draft that was voided", "2026-11-01", "", "", "2026-11-05", apiclient.InvoiceVoided, false},
		{"overdue", "2026-11-01", "2026-10-20", "", "", apiclient.InvoiceOverdue, true},
		{"not yet due", "2026-11-25", "2026-10-20", "", "", apiclient.InvoiceSent, false},
	} {
		d := build(t, 1)
		i := &d.server.invoices[0]
		i.Status, i.DueDate, i.SentAt, i.PaidAt, i.VoidedAt = c.status, date(c.due), nil, nil, nil
		for at, day := range map[**time.Time]string{&i.SentAt: c.sent, &i.PaidAt: c.paid, &i.VoidedAt: c.voided} {
			if day != "" {
				*at = date(day)
			}
		}
		d.SetSize(120, 40)
		d.drain(d.Init())
		d.press("enter")
		if got := strings.Contains(d.text(), "● overdue"); got != c.want {
			t.Errorf("%s: overdue in the timeline %t, want %t:\n%s", c.what, got, c.want, d.text())
		}
	}
}

// The due day comes after the step that made the invoice due and before the step that closed
// it. An invoice paid earlier has no due day in its timeline.
func TestTheDueDayStandsWhereItBelongs(t *testing.T) {
	for _, c := range []struct {
		what, sent, due, paid string
		want                  []string
	}{
		{"due when sent", "2026-11-10", "2026-11-10", "2026-11-10", []string{"created", "sent", "due", "paid"}},
		{"paid late", "2026-11-10", "2026-11-12", "2026-11-15", []string{"created", "sent", "due", "overdue", "paid"}},
		{"paid early", "2026-11-10", "2026-11-18", "2026-11-15", []string{"created", "sent", "paid"}},
	} {
		d := build(t, 1)
		i := &d.server.invoices[0]
		sent, paid := date(c.sent).Add(10*time.Hour), date(c.paid).Add(11*time.Hour)
		i.Status, i.CreatedAt, i.SentAt, i.DueDate, i.PaidAt = apiclient.InvoicePaid, *date("2026-11-10"), &sent, date(
			c.due,
		), &paid
		d.SetSize(120, 40)
		d.drain(d.Init())
		d.press("enter")
		var got []string
		for line := range strings.SplitSeq(d.text(), "\n") {
			if _, step, ok := strings.Cut(line, "● "); ok {
				got = append(got, strings.FieldsFunc(step, func(r rune) bool { return r == ',' || r == ' ' })[0])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// spoil makes an invoice unreadable except for its ID and number.
func (s *server) spoil(at int) {
	i := s.invoices[at]
	why := &apiclient.ContractError{Field: fmt.Sprintf("[%d].total_cents", at), Problem: "is missing"}
	s.invoices[at] = apiclient.Invoice{ID: i.ID, Number: i.Number, Unreadable: why}
}

func TestAnInvoiceThatCannotBeReadDoesNotHideTheOthers(t *testing.T) {
	d := build(t, 12)
	d.server.spoil(1)
	d.drain(d.Init())

	d.says("1 invoice could not be read", "row 1 of 12", "INV-000012", "INV-000011", "INV-000010")
	d.press("j", "enter")
	d.says("Problem", "total_cents is missing", "inv_11", "unreadable")
	d.press("esc", "/")
	d.write("000003")
	d.says("1 invoice could not be read")
	d.press("esc")

	d.server.invoices = testInvoices(12)
	d.drain(d.Refresh())
	d.saysNot("could not be read")
}

func TestAnInvoiceThatCannotBeReadStaysSaidWhileTheListIsOld(t *testing.T) {
	d := build(t, 3)
	d.server.spoil(0)
	d.drain(d.Init())

	d.server.fail = errors.New("broken pipe")
	d.drain(d.Refresh())

	d.says("stale", "could not be read", "INV-000003")
}

func TestAnExportedListSaysWhatItIsWithout(t *testing.T) {
	d := build(t, 12)
	d.server.spoil(1)
	d.server.spoil(4)
	d.drain(d.Init())

	d.press("e", "enter")

	if len(d.said) != 1 ||
		!strings.HasPrefix(d.said[0], "exported 10 invoices (2 more could not be read and are not in the file) to ") {
		t.Errorf("it said %q", d.said)
	}
}

// A filter left on the list must not hide the new draft.
func TestAnInvoiceJustCreatedIsNotHiddenByAFilterLeftHere(t *testing.T) {
	for name, leave := range map[string]func(d *desk){
		"a customer of the receivables": func(d *desk) {
			d.drain(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "Müller & Söhne"}))
		},
		"days past due": func(d *desk) {
			d.drain(d.Show(views.InvoicesTarget{Status: apiclient.InvoiceSent, PastDue: views.PastDue{Name: "91+ days", From: 91, To: 999}}))
		},
		"a text":  func(d *desk) { d.press("/"); d.write("trav"); d.press("enter") },
		"nothing": func(*desk) {},
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

		d.drain(d.Update(views.InvoiceCreated{ID: "inv_new"}))
		d.wait(10 * time.Second)
		d.press("enter")

		if d.Filtered() {
			t.Errorf("%s: a filter is left", name)
		}
		d.says("INV-NEW", "Contoso", "not sent", "row 1 of 13")
	}
}

func TestTotalsBehindReceivablesSayThatTheyAreBeforePartPayments(t *testing.T) {
	const says = "Totals are before part payments; Receivables counts what is still owed."
	d := open(t, 12)
	d.saysNot(says)
	for _, target := range []views.InvoicesTarget{
		{Status: apiclient.InvoiceOverdue, Customer: "Müller & Söhne"}, {Status: apiclient.InvoiceOverdue},
		{Status: apiclient.InvoiceSent, PastDue: views.PastDue{Name: "not past due", From: -999, To: 0}},
	} {
		d.drain(d.Show(target))
		for _, width := range []int{80, 120, 200} {
			d.SetSize(width, 21)
			d.says(says)
		}
	}
	d.press("x")
	d.saysNot(says)
}
