package overview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
)

// roomForMemo is how much room a row needs beside its figures to hold a memo
// besides the name.
const roomForMemo = 36

// latestBody lists the newest transactions: day, amount in its own currency, who.
func (s *Screen) latestBody(width, height int) []string {
	page, _ := s.data.Latest.Value()
	rows := page.Data[:min(height, len(page.Data))]
	amounts, widest := make([]string, len(rows)), 0
	for i, r := range rows {
		amounts[i] = amount.Own(r.Amount, r.Direction)
		widest = max(widest, ansi.StringWidth(amounts[i]))
	}
	// The amount is never cut: in a narrow panel the day gives way to it.
	day := len("2026-11-20") + 2
	if width < day+widest+10 {
		day = 0
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		style := s.theme.Outflow
		if r.Unreadable != nil {
			r.CounterpartyName = unreadable
		}
		switch {
		case !r.Amount.Known():
			style = s.theme.Unknown
		case r.Direction == apiclient.Inflow:
			style = s.theme.Inflow
		}
		lead := termtext.Fit(cmp.Or(r.Date.String(), money.Dash), day)
		figure := strings.Repeat(" ", widest-ansi.StringWidth(amounts[i])) + amounts[i]
		who, room := r.CounterpartyName, width-day-widest-2
		if r.Memo != "" && room >= roomForMemo {
			who = termtext.Fit(who, min(28, room/2)) + "  " + r.Memo
		}
		lines[i] = s.theme.Faint.Render(lead) + style.Render(figure) + "  " + termtext.Fit(who, room)
	}
	return lines
}

// eventsBody lists the newest events, the last one first, in UTC.
func (s *Screen) eventsBody(width, height int) []string {
	known := s.data.Feed.Events()
	known = known[max(0, len(known)-height):]
	widest := 0
	for i := range known {
		widest = max(widest, ansi.StringWidth(eventAmount(&known[i])))
	}
	const stamp = "01-02 15:04"
	room := width - len(stamp) - 2
	lines := make([]string, 0, len(known))
	for _, e := range slices.Backward(known) {
		at := e.OccurredAt.UTC().Format(stamp)
		if e.OccurredAt.IsZero() {
			at = termtext.Fit(money.Dash, len(stamp))
		}
		lines = append(lines, s.theme.Faint.Render(at)+"  "+termtext.Fit(s.eventText(&e, widest, room), room))
	}
	return lines
}

// roomForSubject is what is worth showing of a subject's name: less than this of
// an id says nothing.
const roomForSubject = 12

// eventText says what happened, for how much and to what, as far as that is known. The
// name of what it was may be cut, an amount and an invoice's number may not: they are
// left out where they do not fit. Amounts end below each other.
func (s *Screen) eventText(e *apiclient.Event, widest, width int) string {
	text, sum, subject := termtext.Fit(string(e.Type), len(apiclient.EventPaymentCompleted)), eventAmount(e), s.eventSubject(e)
	numbered := e.Unreadable == nil && strings.HasPrefix(string(e.Type), "invoice.")
	if whole := text + "  " + sum; sum != "" && ansi.StringWidth(whole) <= width {
		if padded := text + "  " + strings.Repeat(" ", widest-ansi.StringWidth(sum)) + sum; ansi.StringWidth(padded) <= width {
			whole = padded
		}
		least := roomForSubject
		if numbered {
			least = 2 + ansi.StringWidth(subject)
		}
		if width-ansi.StringWidth(whole) < least {
			return whole
		}
		text = whole
	}
	if subject == "" {
		return text
	}
	if room := width - ansi.StringWidth(text) - 2; numbered && ansi.StringWidth(subject) > room {
		subject = termtext.FitEnd(subject, room)
	}
	return text + "  " + subject
}

// eventAmount writes what an event was for, "" where it does not tell.
func eventAmount(e *apiclient.Event) string {
	sum, _ := record.EventAmount(e)
	if !sum.Known() {
		return ""
	}
	return sum.String()
}

// unreadable stands for what is not known of a record that could not be read.
const unreadable = "unreadable"

// eventSubject names what an event was about, as far as that is known: of a payment
// intent that nobody has opened only its id is.
func (s *Screen) eventSubject(e *apiclient.Event) string {
	if e.Unreadable != nil {
		return unreadable
	}
	if invoice, ok := e.InvoiceData(); ok {
		return cmp.Or(invoice.Number, invoice.InvoiceID)
	}
	if payment, ok := e.PaymentData(); ok {
		return s.data.Counterparty(payment.PaymentIntentID)
	}
	return e.Message()
}
