package plain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/fold"
	"tarmac/internal/termtext"
)

// eventsPage lists part of the event feed, newest event first.
type eventsPage struct {
	types []apiclient.EventType
	words string // search words; "" matches every event
	after string // cursor after which the listed events begin; "" for the newest events
	rows  cached[*apiclient.EventPage]
}

func (p *eventsPage) name() string { return "events" }

func (p *eventsPage) commands(*session) []command {
	return []command{
		{"filter", "TYPES", "filter by type, such as invoice.paid payment.held; all shows every type", p.setFilter},
		{"search", "WORDS", "search the current page", func(s *session, args string) error {
			p.words = args
			return p.show(s)
		}},
		{"older", "", "older events", p.older},
		{"newest", "", "newest events", func(s *session, _ string) error {
			p.after = ""
			return p.show(s)
		}},
		{"open", "NUMBER", "show an event", p.open},
		{"follow", "", "follow new events until Enter or Ctrl+C", p.follow},
	}
}

func (p *eventsPage) query() apiclient.EventQuery {
	return apiclient.EventQuery{Types: p.types, Limit: listRows, StartingAfter: p.after}
}

func (p *eventsPage) show(s *session) error {
	s.say("%s.", s.title())
	page, ok := p.rows.get(s, "Events", func(ctx context.Context) (*apiclient.EventPage, error) {
		return s.server.Client.EventPage(ctx, p.query())
	})
	if !ok {
		return nil
	}
	switch {
	case len(page.Data) > 0:
	case p.after == "" && len(p.types) == 0:
		return s.answer("No events yet.")
	default:
		return s.answer("No events of these types or before this point.")
	}
	which := ""
	if len(p.types) > 0 {
		which = ", types " + join(p.types)
	}
	s.say("Events, newest first%s:", which)
	said, words := 0, fold.String(p.words)
	for i := range page.Data {
		line := eventLine(&page.Data[i])
		if strings.Contains(fold.String(line), words) {
			s.say("  %d: %s.", i+1, line)
			said++
		}
	}
	if p.words != "" {
		s.say("%d of %d match %q; search without text shows all.", said, len(page.Data), p.words)
	}
	sayUnreadableCount(s, "event", page.Data)
	if page.NextCursor != "" {
		s.say("Type older for more, follow for new events.")
	}
	return nil
}

// join returns the event types as a list, such as "invoice.sent, invoice.paid".
func join(types []apiclient.EventType) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = termtext.Line(string(t))
	}
	return strings.Join(words, ", ")
}

// eventLine describes an event in one line, without a full stop.
func eventLine(e *apiclient.Event) string {
	at := "time unknown"
	if !e.OccurredAt.IsZero() {
		at = record.Minute(e.OccurredAt)
	}
	if e.Unreadable != nil {
		return at + ", " + unreadable("event "+e.ID, e.Unreadable)
	}
	line := at + ", " + termtext.Line(string(e.Type))
	if d, ok := e.InvoiceData(); ok {
		line += ", " + cmp.Or(d.Number, d.InvoiceID)
	}
	if amount, ok := record.EventAmount(e); ok {
		return line + ", " + amountInWords(amount)
	}
	if m := e.Message(); m != "" {
		line += ", " + strings.TrimRight(m, ".")
	}
	return line
}

// parseTypes parses event types separated by spaces or commas. It returns an error for a type that
// is not among the known ones.
func parseTypes(text string, known []apiclient.EventType) ([]apiclient.EventType, error) {
	var types []apiclient.EventType
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' }) {
		t := apiclient.EventType(word)
		if !slices.Contains(known, t) {
			return nil, errors.New("unknown event type " + strconv.Quote(word) + "; available: " + join(known))
		}
		types = append(types, t)
	}
	return types, nil
}

func (p *eventsPage) setFilter(s *session, args string) error {
	if args == "" {
		return s.answer("filter takes event types (%s) or all.", join(apiclient.EventTypes()))
	}
	var types []apiclient.EventType
	if !strings.EqualFold(args, "all") {
		var err error
		if types, err = parseTypes(args, apiclient.EventTypes()); err != nil {
			return s.answer("%s", problem.Sentence(err.Error()))
		}
	}
	*p = eventsPage{types: types, words: p.words}
	return p.show(s)
}

func (p *eventsPage) older(s *session, _ string) error {
	if !p.rows.known() || p.rows.value.NextCursor == "" {
		return s.answer("No older events; the feed keeps 90 days.")
	}
	before, rows := p.after, p.rows
	p.after = p.rows.value.NextCursor
	p.rows = cached[*apiclient.EventPage]{}
	if err := p.show(s); err != nil || p.rows.known() {
		return err
	}
	p.after, p.rows = before, rows
	return nil
}

func (p *eventsPage) open(s *session, args string) error {
	if !p.rows.known() {
		return s.answer("Nothing loaded yet. Type refresh to load.")
	}
	if i, ok := s.pick(args, len(p.rows.value.Data)); ok {
		return s.open(&eventPage{p.rows.value.Data[i]})
	}
	return nil
}

// eventPage shows one event.
type eventPage struct{ event apiclient.Event }

func (p *eventPage) name() string { return "event" }

func (p *eventPage) commands(*session) []command {
	return []command{{"about", "", "open the event's invoice or payment intent", p.openSubject}}
}

func (p *eventPage) show(s *session) error {
	e := &p.event
	if e.Unreadable != nil {
		return s.answer("%s", problem.Sentence(eventLine(e)))
	}
	s.say("Event %s.", termtext.Line(e.ID))
	s.say("  %s.", eventLine(e))
	s.say("  Data:")
	for line := range strings.SplitSeq(e.PrettyData(), "\n") {
		s.say("    %s", line)
	}
	return nil
}

func (p *eventPage) openSubject(s *session, _ string) error {
	if d, ok := p.event.InvoiceData(); ok {
		return s.open(&invoicePage{id: d.InvoiceID})
	}
	if d, ok := p.event.PaymentData(); ok {
		return s.openIntent(d.PaymentIntentID)
	}
	return s.answer("This event refers to no invoice or payment.")
}
