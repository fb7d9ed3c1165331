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

// Indices of columns. Narrow lists have the short time, without year and seconds. The last column
// says what the event is about.
const (
	timeColumn      = 0
	shortTimeColumn = 1
	typeColumn      = 2
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

// cells appends the cells of an event to dst.
func (s *Screen) cells(_ int, e *apiclient.Event, dst []table.Cell) ([]table.Cell, bool) {
	if e.Unreadable != nil {
		const unreadable = "unreadable"
		about := table.Cell{Text: termtext.Line(string(e.Type))}
		if !s.list.Table.Draws(typeColumn) {
			about = table.Cell{Text: unreadable + ": " + about.Text, Ink: s.inks.caution}
		}
		return append(dst,
			table.Cell{Text: eventTime(e, time.DateTime)}, table.Cell{Text: eventTime(e, shortTime)},
			table.Cell{Text: unreadable, Ink: s.inks.caution}, table.Cell{}, about), true
	}
	about := table.Cell{Text: s.aboutText(e)}
	// A bare number differs at its end, but a sentence begins with who did it.
	about.KeepEnd = strings.HasPrefix(string(e.Type), "invoice.") && !strings.Contains(about.Text, " ")
	if !s.list.Table.Draws(typeColumn) {
		about.Ink = s.ink(e.Type)
	}
	return append(dst,
		table.Cell{Text: eventTime(e, time.DateTime)}, table.Cell{Text: eventTime(e, shortTime)},
		table.Cell{Text: termtext.Line(string(e.Type)), Ink: s.ink(e.Type)},
		table.Cell{Text: amountText(e)}, about,
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

// amountText returns the amount of an event's invoice or payment with its currency, or "" if it
// has none.
func amountText(e *apiclient.Event) string {
	if a, ok := record.EventAmount(e); ok {
		return amount.InOwnCurrency(a, "")
	}
	return ""
}

// about says what an event is about: who did what with its invoice and the number of that, or its
// ID without a number; the counterparty of its payment, or a dash if unknown; for other events, the
// event's own message.
func (s *Screen) about(e *apiclient.Event) string {
	if text := record.EventSentence(e, s.who(e)); text != "" {
		return termtext.Line(text)
	}
	if _, ok := e.PaymentData(); ok {
		return money.Dash
	}
	return termtext.Line(e.Message())
}

// aboutText returns the text of aboutColumn. Without a column of types, it also says what happened.
func (s *Screen) aboutText(e *apiclient.Event) string {
	text, who := s.about(e), s.who(e)
	if _, ok := e.InvoiceData(); ok && who != "" && strings.Contains(text, " ") {
		return s.withWholeNumber(e, text, who)
	}
	switch happened := strings.ReplaceAll(termtext.Line(string(e.Type)), ".", " "); {
	case s.list.Table.Draws(typeColumn):
		return text
	case text == "" || text == money.Dash:
		return happened
	default:
		return text + ": " + happened
	}
}

// withWholeNumber cuts the name in the sentence of an event that is too long for its column: its
// end is the number, which says which invoice it is.
func (s *Screen) withWholeNumber(e *apiclient.Event, text, who string) string {
	const leastName = 6
	who = termtext.Line(who)
	excess := termtext.Width(text) - s.list.Table.Room(aboutColumn)
	if room := termtext.Width(who) - excess; excess > 0 && room >= leastName {
		return termtext.Line(record.EventSentence(e, strings.TrimRight(termtext.Fit(who, room), " ")))
	}
	return text
}
