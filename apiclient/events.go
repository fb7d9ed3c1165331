package apiclient

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// EventType is the type of an event (docs/api.md, Event types).
type EventType string

// Types of events that the API defines.
const (
	EventInvoiceSent      EventType = "invoice.sent"
	EventInvoiceOverdue   EventType = "invoice.overdue"
	EventInvoicePaid      EventType = "invoice.paid"
	EventInvoiceVoided    EventType = "invoice.voided"
	EventPaymentHeld      EventType = "payment.held"
	EventPaymentCompleted EventType = "payment.completed"
	EventPaymentFailed    EventType = "payment.failed"
	EventPaymentCanceled  EventType = "payment.canceled"
	EventTest             EventType = "test.event"
)

// EventTypes returns all event types that the API defines.
func EventTypes() []EventType {
	return []EventType{
		EventInvoiceSent, EventInvoiceOverdue, EventInvoicePaid, EventInvoiceVoided,
		EventPaymentHeld, EventPaymentCompleted, EventPaymentFailed, EventPaymentCanceled,
		EventTest,
	}
}

// Known reports whether t is one of the types that the API defines.
func (t EventType) Known() bool { return slices.Contains(EventTypes(), t) }

// Event is an entry of the organization's event feed (docs/api.md, Event envelope). Data is a JSON
// object exactly as the server sent it, so it is not safe to print. The text that PrettyData and
// the typed methods return is safe to print.
type Event struct {
	ID         string
	Type       EventType
	Version    int       // version of the envelope's format
	OccurredAt time.Time // in UTC
	Data       json.RawMessage
	// Omitted is the size of Data in bytes if Data was too large to keep. Otherwise it is 0.
	Omitted int
	// Unreadable says why the event could not be decoded. If it is set, only ID, Type and
	// OccurredAt are valid. In a list, even ID may be missing then.
	Unreadable *ContractError
	dataSum    [sha256.Size]byte // checksum of Data, for an unreadable event without an ID
}

// maxEventData is the maximum size in bytes up to which Data is kept.
const maxEventData = 64 << 10

// EventQuery selects events (docs/api.md, Event list). Limit is 1 to 100; 0 means 50, the server's
// default.
type EventQuery struct {
	Types         []EventType // types to select; empty for all
	Limit         int
	StartingAfter string // ID of an event; only older events are selected
}

const defaultEvents = 50

// EventPage is a page of events, newest first. NextCursor is the value of StartingAfter for the
// next page, or "" on the last page. An event that could not be decoded has its place on the page;
// see Event.Unreadable.
type EventPage struct {
	Data       []Event
	NextCursor string
}

// EventPage returns one page of the feed, which contains the events of the last 90 days.
func (c *Client) EventPage(ctx context.Context, q EventQuery) (*EventPage, error) {
	types := make([]string, len(q.Types))
	for i, t := range q.Types {
		types[i] = string(t)
	}
	values := query{}
	values.text("types", strings.Join(types, ","))
	values.limit(q.Limit)
	values.text("starting_after", q.StartingAfter)
	call := read("/events", values)
	body, err := c.send(ctx, &call)
	if err != nil {
		return nil, err
	}
	limit := q.Limit
	if limit == 0 {
		limit = defaultEvents
	}
	page, err := decodeEvents(call, body, limit)
	// Return a later page without the error, as TransactionPage does. Callers would otherwise lose
	// the pages before it.
	if page != nil && q.StartingAfter != "" {
		err = nil
	}
	return page, err
}

// Events iterates over all events that q selects, newest first. It fetches pages as needed and ends
// with the first error. An event that could not be decoded has Unreadable set and is not an error.
func (c *Client) Events(ctx context.Context, q EventQuery) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			page, err := c.EventPage(ctx, q)
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, event := range page.Data {
				if !yield(event, nil) {
					return
				}
			}
			next, more, err := page.Next(q)
			if err != nil {
				yield(Event{}, err)
			}
			if !more {
				return
			}
			q = next
		}
	}
}

// Next returns the query for the page after p, which is the response to q. The result more is false
// if p is the last page. If the cursor would return p again, Next returns a *ContractError.
func (p *EventPage) Next(q EventQuery) (next EventQuery, more bool, err error) {
	next = q
	next.StartingAfter, err = nextCursor("/events", q.StartingAfter, p.NextCursor, len(p.Data))
	return next, next.StartingAfter != "", err
}

// Event returns the event with this ID. It returns ErrNotFound if the event does not exist or is
// older than 90 days (docs/api.md, Retention).
func (c *Client) Event(ctx context.Context, id string) (*Event, error) {
	call, err := readOne("/events/{eventId}", id)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*eventJSON).event)
}

// ParseEvent parses the envelope of one event, for example from a webhook delivery (docs/api.md,
// Event envelope). Its error names the missing or invalid field.
func ParseEvent(body []byte) (Event, error) {
	var (
		response eventJSON
		event    Event
		wrong    *ContractError
		call     call
	)
	err := decode(call, body, &response)
	if err == nil {
		f := call.fields()
		event = response.event(f)
		err = f.failure()
	}
	switch {
	case err == nil:
		return event, nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return Event{}, fmt.Errorf("field %s of the event %s", wrong.Field, wrong.Problem)
	case errors.As(err, &wrong):
		return Event{}, fmt.Errorf("the event %s", wrong.Problem)
	}
	return Event{}, err
}

type eventJSON struct {
	ID         *string         `json:"id"`
	Type       *string         `json:"type"`
	Version    *int            `json:"version"`
	OccurredAt *string         `json:"occurred_at"`
	Data       json.RawMessage `json:"data"`
}

func (a *eventJSON) event(f *fields) Event {
	e := Event{
		ID:         f.text("id", a.ID),
		Type:       EventType(f.text("type", a.Type)),
		Version:    required(f, "version", a.Version),
		OccurredAt: f.time("occurred_at", a.OccurredAt),
	}
	if e.ID == "" {
		f.fail("id", "is empty")
	}
	switch {
	case kindOf(a.Data) != "object":
		f.fail("data", "is not an object")
	case len(a.Data) > maxEventData:
		e.Omitted = len(a.Data)
	default:
		e.Data = a.Data
	}
	return e
}

// decodeEvents decodes a page. If none of its events could be decoded, it returns both the page and
// an error. The documented form is {data, next_cursor} (docs/api.md, Event list), but other servers
// may send only a list or use other names. If a full page has no cursor, the next page begins after
// its oldest event.
func decodeEvents(call call, body []byte, limit int) (*EventPage, error) {
	var (
		responses []element[eventJSON]
		page      EventPage
		list      string
		named     bool // the response contains a cursor, which is null or "" on the last page
	)
	if kindOf(body) == "array" {
		if err := decode(call, body, &responses); err != nil {
			return nil, err
		}
	} else {
		var container eventContainer
		if err := decode(call, body, &container); err != nil {
			return nil, err
		}
		responses = container.events()
		if responses == nil {
			return nil, call.contractError("data", "is missing")
		}
		list = "data"
		page.NextCursor, named = container.cursor()
	}
	if len(page.NextCursor) > maxCursor {
		return nil, call.contractError("next_cursor", "is too long")
	}
	var err error
	page.Data, err = readList(call, list, responses, (*eventJSON).event, Event.asUnreadable)
	if !named && len(responses) >= limit {
		page.NextCursor = oldestID(page.Data)
	}
	return &page, err
}

// oldestID returns the ID of the oldest of the events that have an ID.
func oldestID(events []Event) string {
	for _, e := range slices.Backward(events) {
		if e.ID != "" {
			return e.ID
		}
	}
	return ""
}

func (e Event) asUnreadable(reason *ContractError) Event {
	reduced := Event{ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt, Unreadable: reason}
	if e.ID == "" {
		reduced.dataSum = sha256.Sum256(e.Data)
	}
	return reduced
}

// Identity returns text that identifies the event: its ID or, without one, its type, its time and a
// checksum. The text made of these begins with a line feed, so that it cannot equal an ID.
func (e *Event) Identity() string {
	if e.ID != "" {
		return e.ID
	}
	return fmt.Sprintf("\n%s %s %x", e.Type, e.OccurredAt.UTC().Format(time.RFC3339Nano), e.dataSum)
}

type eventContainer struct {
	Data       []element[eventJSON] `json:"data"`
	Events     []element[eventJSON] `json:"events"`
	Items      []element[eventJSON] `json:"items"`
	NextCursor json.RawMessage      `json:"next_cursor"`
	Next       json.RawMessage      `json:"next"`
	Cursor     json.RawMessage      `json:"cursor"`
}

func (c *eventContainer) events() []element[eventJSON] {
	for _, list := range [][]element[eventJSON]{c.Data, c.Events, c.Items} {
		if list != nil {
			return list
		}
	}
	return nil
}

// cursor returns the first cursor field of the response, whose value is "" on the last page. The
// result named is false if the response has no such field.
func (c *eventContainer) cursor() (cursor string, named bool) {
	for _, raw := range []json.RawMessage{c.NextCursor, c.Next, c.Cursor} {
		if len(raw) == 0 {
			continue
		}
		if isNull(raw) || json.Unmarshal(raw, &cursor) == nil {
			return cursor, true
		}
	}
	return "", false
}
