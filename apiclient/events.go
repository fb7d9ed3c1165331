package apiclient

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

// EventType is what happened (docs/api.md, Event types).
type EventType string

// The types of events.
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

// Known reports whether t is one of the API's.
func (t EventType) Known() bool {
	switch t {
	case EventInvoiceSent, EventInvoiceOverdue, EventInvoicePaid, EventInvoiceVoided,
		EventPaymentHeld, EventPaymentCompleted, EventPaymentFailed, EventPaymentCanceled, EventTest:
		return true
	}
	return false
}

// Event is an entry of the organization's feed (docs/api.md, Event envelope). Data
// is a JSON object as it came: it is not cleaned, and is for machines. PrettyData
// and the typed accessors are for people.
type Event struct {
	ID         string
	Type       EventType
	Version    int       // of the envelope
	OccurredAt time.Time // UTC
	Data       json.RawMessage
	// Omitted is the size of Data in bytes where it was too large to be kept.
	Omitted int
	// Unreadable is why all but the id, the type and the time could not be read; nil
	// where it could. Of an event that a list has, even the id may be missing then.
	Unreadable *ContractError
	dataSum    [sha256.Size]byte // of the data of an event without an id
}

// maxEventData is how much of an event's data is kept: it is meant to be thin.
const maxEventData = 64 << 10

// InvoiceData is the data of the invoice.* events.
type InvoiceData struct {
	InvoiceID string
	Number    string
	Status    InvoiceStatus
	Total     Amount
}

// PaymentData is the data of the payment.* events.
type PaymentData struct {
	PaymentIntentID string
	Amount          Amount
}

// InvoiceData returns the data of an invoice event, and false for other events and
// for data without an invoice's id. What else is missing is "" or unknown.
func (e Event) InvoiceData() (InvoiceData, bool) {
	data, ok := e.object("invoice.")
	if !ok {
		return InvoiceData{}, false
	}
	d := InvoiceData{
		InvoiceID: data.text("invoice_id"),
		Number:    data.text("number"),
		Status:    InvoiceStatus(data.text("status")),
		Total:     data.amount("total_cents"),
	}
	return d, d.InvoiceID != ""
}

// PaymentData returns the data of a payment event, and false for other events and
// for data without a payment intent's id. An amount that is missing is unknown.
func (e Event) PaymentData() (PaymentData, bool) {
	data, ok := e.object("payment.")
	if !ok {
		return PaymentData{}, false
	}
	d := PaymentData{PaymentIntentID: data.text("payment_intent_id"), Amount: data.amount("amount_cents")}
	return d, d.PaymentIntentID != ""
}

// Message returns the message of a test event, and "" for other events.
func (e Event) Message() string {
	data, ok := e.object(string(EventTest))
	if !ok {
		return ""
	}
	return data.text("message")
}

func (e Event) object(prefix string) (*object, bool) {
	var data object
	if !strings.HasPrefix(string(e.Type), prefix) || json.Unmarshal(e.Data, &data) != nil {
		return nil, false
	}
	return &data, true
}

// PrettyData returns the data as indented JSON of clean text.
func (e Event) PrettyData() string {
	if e.Omitted > 0 {
		return fmt.Sprintf("(%d bytes of data, more than are shown)", e.Omitted)
	}
	var indented bytes.Buffer
	if json.Indent(&indented, e.Data, "", "  ") != nil {
		return ""
	}
	return termtext.Block(indented.String())
}

// EventQuery selects events (docs/api.md, Event list). Limit is 1 to 100, or 0 for
// the server's 50.
type EventQuery struct {
	Types         []EventType // none for all
	Limit         int
	StartingAfter string // an event's id: only events older than it
}

const defaultEvents = 50

// EventPage is one page, newest first. NextCursor is what to pass as StartingAfter
// for the next one, and "" on the last page. An event that could not be read keeps its
// place: see Event.Unreadable.
type EventPage struct {
	Data       []Event
	NextCursor string
}

// EventPage returns one page of the feed, which goes back 90 days.
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
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	limit := q.Limit
	if limit == 0 {
		limit = defaultEvents
	}
	page, err := decodeEvents(call, body, limit)
	// As in TransactionPage: a page further on goes with those before it.
	if page != nil && q.StartingAfter != "" {
		err = nil
	}
	return page, err
}

// Events returns every event that q selects, newest first, fetching pages as they
// are needed. An error ends it; an event that could not be read does not, and has
// Unreadable set.
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
			if page.NextCursor == "" {
				return
			}
			if page.NextCursor == q.StartingAfter {
				yield(Event{}, eventLoop())
				return
			}
			q.StartingAfter = page.NextCursor
		}
	}
}

func eventLoop() error {
	return read("/events", nil).broken("next_cursor", "leads back to the same page")
}

// Event returns one event, or ErrNotFound when it is older than 90 days
// (docs/api.md, Retention).
func (c *Client) Event(ctx context.Context, id string) (*Event, error) {
	call, err := readOne("/events/{eventId}", id)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer eventAnswer
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	f := call.fields()
	event := answer.event(f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &event, nil
}

// ParseEvent reads the envelope of one event, as a webhook delivery carries it
// (docs/api.md, Event envelope). The error says what is missing or wrong.
func ParseEvent(body []byte) (Event, error) {
	var (
		answer eventAnswer
		event  Event
		wrong  *ContractError
		call   call
	)
	err := decode(call, body, &answer)
	if err == nil {
		f := call.fields()
		event = answer.event(f)
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

type eventAnswer struct {
	ID         *string         `json:"id"`
	Type       *string         `json:"type"`
	Version    *int            `json:"version"`
	OccurredAt *string         `json:"occurred_at"`
	Data       json.RawMessage `json:"data"`
}

func (a *eventAnswer) event(f *fields) Event {
	e := Event{
		ID:         f.text("id", a.ID),
		Type:       EventType(f.text("type", a.Type)),
		Version:    need(f, "version", a.Version),
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

// decodeEvents reads a page; there is one with an error too where only its events
// could not be read. The API leaves its container open: it is {data, next_cursor}
// here (docs/api.md, Event list), and other likely ones are understood. A server
// that names no cursor is asked for what is older than the last event.
func decodeEvents(call call, body []byte, limit int) (*EventPage, error) {
	var (
		answers []element[eventAnswer]
		page    EventPage
		list    string
		named   bool // the server says where the next page begins, or that there is none
	)
	if kindOf(body) == "array" {
		if err := decode(call, body, &answers); err != nil {
			return nil, err
		}
	} else {
		var container eventContainer
		if err := decode(call, body, &container); err != nil {
			return nil, err
		}
		answers = container.events()
		if answers == nil {
			return nil, call.broken("data", "is missing")
		}
		list = "data"
		page.NextCursor, named = container.cursor()
	}
	if len(page.NextCursor) > maxCursor {
		return nil, call.broken("next_cursor", "is too long")
	}
	var err error
	page.Data, err = readList(call, list, answers, (*eventAnswer).event, Event.reduced)
	if !named && len(answers) >= limit {
		page.NextCursor = oldestID(page.Data)
	}
	return &page, err
}

// oldestID is the id of the oldest event that has one.
func oldestID(events []Event) string {
	for _, e := range slices.Backward(events) {
		if e.ID != "" {
			return e.ID
		}
	}
	return ""
}

func (e Event) reduced(why *ContractError) Event {
	reduced := Event{ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt, Unreadable: why}
	if e.ID == "" {
		reduced.dataSum = sha256.Sum256(e.Data)
	}
	return reduced
}

// Identity tells the event from others: its id, or what else could be read of one
// without an id. No id has a line end in it.
func (e *Event) Identity() string {
	if e.ID != "" {
		return e.ID
	}
	return fmt.Sprintf("\n%s %s %x", e.Type, e.OccurredAt.UTC().Format(time.RFC3339Nano), e.dataSum)
}

type eventContainer struct {
	Data       []element[eventAnswer] `json:"data"`
	Events     []element[eventAnswer] `json:"events"`
	Items      []element[eventAnswer] `json:"items"`
	NextCursor json.RawMessage        `json:"next_cursor"`
	Next       json.RawMessage        `json:"next"`
	Cursor     json.RawMessage        `json:"cursor"`
}

func (c *eventContainer) events() []element[eventAnswer] {
	for _, list := range [][]element[eventAnswer]{c.Data, c.Events, c.Items} {
		if list != nil {
			return list
		}
	}
	return nil
}

// cursor returns the first cursor that is there; one that is null or empty says
// that this is the last page.
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
