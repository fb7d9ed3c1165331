package invoices_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"tarmac/apiclient"
	"tarmac/theme"
)

// Texts such as "in 4 days" change at midnight, when the screen receives only ticks.
func TestDaysGoOnAtMidnight(t *testing.T) {
	d := open(t, 10)
	d.advanceClock(10 * time.Hour)
	d.shows("48 days overdue", "in 4 days")
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
		d.run(d.Init())
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
		d.run(d.Init())
		d.press("enter")
		if got := strings.Contains(d.text(), "● overdue"); got != c.want {
			t.Errorf("%s: overdue in the timeline %t, want %t:\n%s", c.what, got, c.want, d.text())
		}
	}
}

// In the timeline, the due day comes after the steps "created" and "sent" of that day, and before
// the payment of that day. It is missing if the invoice was paid before.
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
		i.Status, i.CreatedAt = apiclient.InvoicePaid, *date("2026-11-10")
		i.SentAt, i.DueDate, i.PaidAt = &sent, date(c.due), &paid
		d.SetSize(120, 40)
		d.run(d.Init())
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

func TestInvoicesHaveTheColourOfTheirAge(t *testing.T) {
	looks := theme.New(true)
	for _, c := range []struct {
		status    apiclient.InvoiceStatus
		due, paid string
		text      string
		want      lipgloss.Style
	}{
		{apiclient.InvoiceSent, "2026-11-21", "", "tomorrow", looks.Aging[0]},
		{apiclient.InvoiceSent, "2026-11-19", "", "1 day past due", looks.Aging[1]},
		{apiclient.InvoiceOverdue, "2026-10-21", "", "30 days overdue", looks.Aging[1]},
		{apiclient.InvoiceOverdue, "2026-10-20", "", "31 days overdue", looks.Aging[2]},
		{apiclient.InvoiceOverdue, "2026-08-22", "", "90 days overdue", looks.Aging[3]},
		{apiclient.InvoiceOverdue, "2026-08-21", "", "91 days overdue", looks.Aging[4]},
		{apiclient.InvoicePaid, "2026-11-10", "2026-11-10", "on the due date", looks.Good},
		{apiclient.InvoicePaid, "2026-09-10", "2026-11-10", "61 days late", looks.Aging[3]},
	} {
		d := build(t, 2)
		i := &d.server.invoices[1] // the row under the cursor, the first, has no colour
		i.Status, i.DueDate, i.PaidAt = c.status, date(c.due), nil
		if c.paid != "" {
			i.PaidAt = date(c.paid)
		}
		d.run(d.Init())

		before, _, _ := strings.Cut(c.want.Render("x"), "x")
		if view := d.View(); !strings.Contains(view, before+c.text) {
			t.Errorf("%s, due %s, paid %q: %q is not drawn in %q:\n%q", c.status, c.due, c.paid, c.text, before, view)
		}
	}
}
