package events

import (
	"cmp"
	"strings"
	"time"

	"tarmac/apiclient"
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
		{Field: "type", Min: 17, Ideal: 18},
		{Title: "Amount     ", Min: amount.Width, Ideal: amount.Width, Priority: 1, Align: table.Right},
		{Field: "data", Min: 10, Whole: table.WidestNumber, Ideal: 29, Flex: 1, Priority: 2},
	})
}

// aboutColumn is the index of the column that names an event's invoice or counterparty.
const aboutColumn = 3

func widestNumber(events []apiclient.Event) (cells int) {
	for i := range events {
		if d, ok := events[i].InvoiceData(); ok {
			cells = max(cells, termtext.Width(d.Number))
		}
	}
	return cells
}

// Row returns the cells of a row. Row 0 is the event at the top in the current order.
func (s *Screen) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	e, ok := s.event(i)
	if !ok {
		return dst, false
	}
	if e.Unreadable != nil {
		return append(dst, table.Cell{Text: moment(e)}, table.Cell{Text: "unreadable", Ink: s.inks.caution},
			table.Cell{}, table.Cell{Text: termtext.Line(string(e.Type))}), true
	}
	return append(dst,
		table.Cell{Text: e.OccurredAt.UTC().Format(time.DateTime)},
		table.Cell{Text: termtext.Line(string(e.Type)), Ink: s.ink(e.Type)},
		table.Cell{Text: sum(e)},
		table.Cell{Text: s.about(e), KeepEnd: strings.HasPrefix(string(e.Type), "invoice.")},
	), true
}

// moment returns the time of an event, or a dash if it could not be read.
func moment(e *apiclient.Event) string {
	if e.OccurredAt.IsZero() {
		return money.Dash
	}
	return e.OccurredAt.UTC().Format(time.DateTime)
}

type inks struct{ faint, key, good, caution, bad table.Ink }

func newInks(t theme.Theme) inks {
	return inks{
		faint: table.NewInk(t.Faint), key: table.NewInk(t.Accent.Bold(false)), good: table.NewInk(t.Good),
		caution: table.NewInk(t.Caution), bad: table.NewInk(t.Critical),
	}
}

// ink returns the color of a type.
func (s *Screen) ink(t apiclient.EventType) table.Ink {
	switch t {
	case apiclient.EventInvoicePaid, apiclient.EventPaymentCompleted:
		return s.inks.good
	case apiclient.EventInvoiceOverdue, apiclient.EventPaymentHeld:
		return s.inks.caution
	case apiclient.EventPaymentFailed:
		return s.inks.bad
	}
	return table.Ink{}
}

// sum returns the amount of an event's invoice or payment, or "" if it has none.
func sum(e *apiclient.Event) string {
	if a, ok := record.EventAmount(e); ok {
		return amount.Own(a, "")
	}
	return ""
}

// about returns the number of an event's invoice, the counterparty of its payment if known, or
// else the event's own message.
func (s *Screen) about(e *apiclient.Event) string {
	if d, ok := e.InvoiceData(); ok {
		return termtext.Line(cmp.Or(d.Number, d.InvoiceID))
	}
	if d, ok := e.PaymentData(); ok {
		return cmp.Or(s.data.Counterparty(d.PaymentIntentID), money.Dash)
	}
	return termtext.Line(e.Message())
}
