package overview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

// Minimum widths, in cells, next to the date and the amount of a transaction.
const (
	memoWidth     = 36 // the row has the memo
	categoryWidth = 34 // the row has the category; without the width of the category
)

// latestBody draws the newest transactions: the day, the amount in its own currency, and the
// counterparty.
func (s *Screen) latestBody(width, height int) []string {
	page, _ := s.data.Latest.Value()
	rows := page.Data[:min(height, len(page.Data))]
	amounts, widest := make([]string, len(rows)), 0
	for i, r := range rows {
		amounts[i] = masked.Text(s.theme, amount.InOwnCurrency(r.Amount, r.Direction))
		widest = max(widest, ansi.StringWidth(amounts[i]))
	}
	// The amount is never truncated. A narrow panel omits the day instead.
	day := len("2026-11-20") + 2
	if width < day+widest+10 {
		day = 0
	}
	room := width - day - widest - 2
	categories, category := s.latestCategories(rows)
	if room < categoryWidth+category {
		category = 0
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
		who, left := counterparty.Display(r.CounterpartyName), room-category
		if room >= memoWidth && (r.Memo != "" || category > 0) {
			who = termtext.Fit(who, min(28, left/2)) + "  " + r.Memo
		}
		lines[i] = s.theme.Faint.Render(lead) + style.Render(figure) + "  " + termtext.Fit(who, left)
		if category > 0 {
			lines[i] += s.theme.Faint.Render("  " + termtext.Fit(categories[i], category-2))
		}
	}
	return lines
}

// latestCategories returns the categories of transactions, and the width of their column with the
// gap before it. The width is 0 without categories.
func (s *Screen) latestCategories(rows []apiclient.Transaction) (categories []string, width int) {
	categories = make([]string, len(rows))
	for i := range rows {
		if categories[i] = s.annotations.Of(&rows[i]).Category; categories[i] != "" {
			width = max(width, 2+min(table.WidestCategory, termtext.Width(categories[i])))
		}
	}
	return categories, width
}

// eventsBody draws the latest events, newest first, with UTC times.
func (s *Screen) eventsBody(width, height int) []string {
	known := s.data.Feed.Events()
	known = known[max(0, len(known)-height):]
	widest := 0
	for i := range known {
		widest = max(widest, ansi.StringWidth(s.eventAmount(&known[i])))
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

// subjectWidth is the minimum width, in cells, for the subject of an event. A shorter part of an ID
// could match several IDs.
const subjectWidth = 12

// eventText returns the type, amount and subject of an event in one line. It may truncate a name,
// but omits an amount or invoice number that does not fit. Amounts are right-aligned in a column of
// widest cells.
func (s *Screen) eventText(e *apiclient.Event, widest, width int) string {
	text := termtext.Fit(string(e.Type), len(apiclient.EventPaymentCompleted))
	sum, subject := s.eventAmount(e), s.eventSubject(e)
	numbered := e.Unreadable == nil && strings.HasPrefix(string(e.Type), "invoice.")
	if line := text + "  " + sum; sum != "" && ansi.StringWidth(line) <= width {
		padded := text + "  " + strings.Repeat(" ", widest-ansi.StringWidth(sum)) + sum
		if ansi.StringWidth(padded) <= width {
			line = padded
		}
		least := subjectWidth
		if numbered {
			least = 2 + ansi.StringWidth(subject)
		}
		if width-ansi.StringWidth(line) < least {
			return line
		}
		text = line
	}
	if subject == "" {
		return text
	}
	if room := width - ansi.StringWidth(text) - 2; numbered && ansi.StringWidth(subject) > room {
		subject = termtext.FitEnd(subject, room)
	}
	return text + "  " + subject
}

// eventAmount returns the amount of an event as text, or "" if it is missing or unknown.
func (s *Screen) eventAmount(e *apiclient.Event) string {
	sum, _ := record.EventAmount(e)
	if !sum.Known() {
		return ""
	}
	return masked.Text(s.theme, sum.String())
}

// unreadable is the text that replaces a record that could not be decoded.
const unreadable = "unreadable"

// eventSubject returns what an event is about: an invoice number, or the counterparty of a payment
// intent. If the counterparty is unknown because the payment intent was never opened, it returns
// the ID.
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
