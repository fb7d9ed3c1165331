package events

import (
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/table"
)

func columns() []table.Column {
	return table.Titled(record.Event(apiclient.Event{}), []table.Column{
		{Field: "occurred_at", Title: "Time (UTC)", Min: 19, Ideal: 19},
		{Field: "occurred_at", Title: "Time (UTC)", Min: 11, Ideal: 11},
		{Field: "type", Min: 17, Ideal: 18},
		{Title: "Amount     ", Min: amount.Width, Whole: amount.Widest, Ideal: amount.Width, Priority: 1,
			Align: table.Right},
		{Field: "data", Min: 10, Whole: table.WidestNumber, Ideal: 44, Flex: 1, Priority: 2},
	})
}

// Indexes of columns: the whole time, the time without year and seconds for narrow lists, and an
// event's amount, and its invoice or counterparty.
const (
	timeColumn      = 0
	shortTimeColumn = 1
	amountColumn    = 3
	aboutColumn     = 4
)

func widestAmount(events []apiclient.Event) (cells int) {
	for i := range events {
		if a, ok := record.EventAmount(&events[i]); ok {
			cells = max(cells, amount.Needed(a))
		}
	}
	return cells
}

func widestNumber(events []apiclient.Event) (cells int) {
	for i := range events {
		if d, ok := events[i].InvoiceData(); ok {
			cells = max(cells, termtext.Width(d.Number))
		}
	}
	return cells
}

// Row appends the cells of table row i to dst. Row 0 is the newest event, or the oldest if the
// order is reversed.
func (s *Screen) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	e, ok := s.event(i)
	if !ok {
		return dst, false
	}
	if e.Unreadable != nil {
		return append(dst,
			table.Cell{Text: eventTime(e, time.DateTime)}, table.Cell{Text: eventTime(e, shortTime)},
			table.Cell{Text: "unreadable", Ink: s.inks.caution}, table.Cell{},
			table.Cell{Text: termtext.Line(string(e.Type))}), true
	}
	about := s.about(e)
	// A number alone differs at its end; of a sentence, its beginning says who.
	isNumber := strings.HasPrefix(string(e.Type), "invoice.") && !strings.Contains(about, " ")
	return append(dst,
		table.Cell{Text: eventTime(e, time.DateTime)}, table.Cell{Text: eventTime(e, shortTime)},
		table.Cell{Text: termtext.Line(string(e.Type)), Ink: s.ink(e.Type)},
		table.Cell{Text: amountText(e)},
		table.Cell{Text: about, KeepEnd: isNumber},
	), true
}

const shortTime = "01-02 15:04"

// eventTime returns the time of an event in UTC, or a dash if the time is missing or unreadable.
func eventTime(e *apiclient.Event, layout string) string {
	if e.OccurredAt.IsZero() {
		return money.Dash
	}
	return e.OccurredAt.UTC().Format(layout)
}

type inks struct{ faint, key, good, overdue, caution, bad table.Ink }

func newInks(t theme.Theme) inks {
	return inks{
		faint: table.NewInk(t.Faint), key: table.NewInk(t.Accent.Bold(false)), good: table.NewInk(t.Good),
		overdue: table.NewInk(t.Aging[figures.BucketOf(1)]), caution: table.NewInk(t.Caution), bad: table.NewInk(t.Critical),
	}
}

// ink returns the color of an event type.
func (s *Screen) ink(t apiclient.EventType) table.Ink {
	switch t {
	case apiclient.EventInvoicePaid, apiclient.EventPaymentCompleted:
		return s.inks.good
	case apiclient.EventInvoiceOverdue: // sent on the first day past due
		return s.inks.overdue
	case apiclient.EventPaymentHeld:
		return s.inks.caution
	case apiclient.EventPaymentFailed:
		return s.inks.bad
	}
	return table.Ink{}
}

// amountText returns the amount of an event's invoice or payment with its currency, or "" if the
// event has no amount.
func amountText(e *apiclient.Event) string {
	if a, ok := record.EventAmount(e); ok {
		return amount.InOwnCurrency(a, "")
	}
	return ""
}

// about returns the text of aboutColumn: who did what with the event's invoice and its number, or
// its ID without a number; the counterparty of its payment, or a dash if unknown; for other events,
// the event's own message.
func (s *Screen) about(e *apiclient.Event) string {
	if text := record.EventSentence(e, s.who(e)); text != "" {
		return termtext.Line(text)
	}
	if _, ok := e.PaymentData(); ok {
		return money.Dash
	}
	return termtext.Line(e.Message())
}
