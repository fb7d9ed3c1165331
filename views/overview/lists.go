package overview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
	"tarmac/views/amount"
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
		switch {
		case !r.Amount.Known():
			style = s.theme.Unknown
		case r.Direction == apiclient.Inflow:
			style = s.theme.Inflow
		}
		lead := termtext.Fit(r.Date.String(), day)
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
	lines := make([]string, 0, min(height, len(known)))
	for i := len(known) - 1; i >= 0 && len(lines) < height; i-- {
		e := known[i]
		when := e.OccurredAt.UTC().Format("01-02 15:04")
		lines = append(lines, s.theme.Faint.Render(when)+"  "+termtext.Fit(eventText(e, width-len(when)-2), width-len(when)-2))
	}
	return lines
}

// roomForSubject is what is worth showing of a subject's name: less than this of
// an id says nothing.
const roomForSubject = 12

// eventText says what happened, for how much and to what, as far as the event
// tells. The name of what it was may be cut, the amount may not: it is left out
// where it does not fit.
func eventText(e apiclient.Event, width int) string {
	text := termtext.Fit(string(e.Type), len(apiclient.EventPaymentCompleted))
	withAmount := func(subject string, a apiclient.Amount) string {
		whole := text + "  " + a.String()
		if !a.Known() || ansi.StringWidth(whole) > width {
			return text + "  " + subject
		}
		if width-ansi.StringWidth(whole) < roomForSubject {
			return whole
		}
		return whole + "  " + subject
	}
	if invoice, ok := e.InvoiceData(); ok {
		subject := invoice.Number
		if subject == "" {
			subject = invoice.InvoiceID
		}
		return withAmount(subject, invoice.Total)
	}
	if payment, ok := e.PaymentData(); ok {
		return withAmount(payment.PaymentIntentID, payment.Amount)
	}
	if message := e.Message(); message != "" {
		return text + "  " + message
	}
	return text
}
