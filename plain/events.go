package plain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/fold"
	"tarmac/internal/termtext"
)

type eventsPage struct {
	types []apiclient.EventType
	words string
	after string // the cursor: the page lists events after this one; "" starts at the newest
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

func join(types []apiclient.EventType) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = termtext.Line(string(t))
	}
	return strings.Join(words, ", ")
}

// eventLine describes an event: when, what happened, and to which record. It has no full stop.
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

// parseTypes reads event types separated by spaces or commas. It refuses those not in known.
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

// followEvery is the poll interval of follow while the server answers.
const followEvery = 3 * time.Second

// follow prints events as they happen, each once. It reads back to the last known event, and
// reports a gap if that event is gone.
func (p *eventsPage) follow(s *session, _ string) error {
	since := ""
	if p.after == "" && p.rows.known() {
		for _, e := range p.rows.value.Data {
			if since = e.ID; since != "" { // an unreadable event may have no id
				break
			}
		}
	}
	options := apiclient.TailOptions{Types: p.types, Since: since}
	tailer := apiclient.NewTailer(s.server.Client, options)
	s.say("Following events. Press Enter to stop.")
	failures := 0
	for {
		s.waiting = true // nobody waits for this poll, so report no delay
		events, err := once(s, tailer.Poll)
		wait := followEvery
		switch {
		case errors.Is(err, errInterrupted) || s.ctx.Err() != nil:
			return s.answer("Stopped following.")
		case errors.As(err, new(*apiclient.UnknownEventError)):
			missed := &apiclient.MissedError{LastID: since}
			s.say("%s Everything the feed still keeps follows.", problem.Sentence(missed.Error()))
			options.Since = apiclient.SinceBeginning
			tailer = apiclient.NewTailer(s.server.Client, options)
			continue
		case errors.Is(err, apiclient.ErrForbidden),
			errors.Is(err, apiclient.ErrUnauthorized),
			errors.Is(err, apiclient.ErrInvalid):
			return s.failed("Events", err)
		case err != nil:
			if failures == 0 {
				s.say("Events: %s. Retrying after the last event.", termtext.Line(strings.TrimSuffix(errorInWords(err), ".")))
			}
			failures++
			wait *= time.Duration(min(failures, 10))
			var api *apiclient.Error
			if errors.As(err, &api) {
				wait = max(wait, api.RetryAfter)
			}
		default:
			if failures > 0 {
				s.say("Connected again.")
			}
			failures = 0
			if missed := tailer.Missed(); missed != nil {
				s.say("%s", problem.Sentence(missed.Error()))
			}
			for i := range events {
				s.say("%s.", eventLine(&events[i]))
			}
		}
		select {
		case <-s.After(wait):
			continue
		case line, ok := <-s.lines:
			s.say("Stopped following.")
			text := typedText(line)
			switch {
			case !ok:
				return errEnd
			case text != "":
				return s.execute(text)
			}
			return nil
		case <-s.Interrupts:
		case <-s.ctx.Done():
		}
		return s.answer("Stopped following.")
	}
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

// intentPage shows one payment intent.
type intentPage struct {
	id     string
	intent cached[*apiclient.PaymentIntent]
}

func (p *intentPage) name() string                { return "payment intent" }
func (p *intentPage) commands(*session) []command { return nil }

func (s *session) openIntent(id string) error {
	if id == "" {
		return s.answer("intent takes a payment intent id, such as intent pi_01K2; payment events contain it.")
	}
	return s.open(&intentPage{id: id})
}

func (p *intentPage) show(s *session) error {
	i, ok := p.intent.get(s, "Payment intent "+p.id, func(ctx context.Context) (*apiclient.PaymentIntent, error) {
		return s.server.Client.PaymentIntent(ctx, p.id)
	})
	if !ok {
		return nil
	}
	s.say("Payment intent %s.", cmp.Or(i.ID, p.id))
	o := record.PaymentIntent(i)
	s.details(o.Pick("status", "status_reason", "amount_cents", "counterparty_name", "description", "updated_at"))
	s.details(o.Extra())
	s.timeline(o.Pick("created_at", "held_at", "completed_at", "failed_at", "canceled_at"))
	return nil
}

// pick parses the number of a row in the printed list and reports an invalid one.
func (s *session) pick(args string, rows int) (int, bool) {
	n, err := strconv.Atoi(args)
	switch {
	case rows == 0:
		s.say("The list is empty.")
	case err != nil || n < 1 || n > rows:
		s.say("Enter a number from the list: 1 to %d.", rows)
	default:
		return n - 1, true
	}
	return 0, false
}
