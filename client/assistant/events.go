package assistant

import (
	"context"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/record"
)

// EventsInput selects events of the last 90 days. No Types selects all.
type EventsInput struct {
	Types  []string `json:"types,omitempty" jsonschema:"event types, such as invoice.paid"`
	Limit  int      `json:"limit,omitempty" jsonschema:"most events to return"`
	Cursor string   `json:"cursor,omitempty" jsonschema:"next_cursor of the previous answer, with the same types"`
}

// Events are events of the feed, newest first.
type Events struct {
	Events     []Event `json:"events"`
	NextCursor *string `json:"next_cursor" jsonschema:"null on the last page"`
	Note       string  `json:"note,omitempty"`
}

// Event is an entry of the event feed.
type Event struct {
	ID         string     `json:"id"`
	Type       string     `json:"type"`
	OccurredAt *time.Time `json:"occurred_at" jsonschema:"UTC"`
	About      Untrusted  `json:"about" jsonschema:"number, amount and id of the invoice or payment"`
}

// ListEvents returns the newest events that in selects.
func ListEvents(ctx context.Context, source Source, in EventsInput) (*Events, error) {
	q := apiclient.EventQuery{Limit: limitOf(in.Limit, MaxEvents), StartingAfter: in.Cursor}
	for _, t := range in.Types {
		if !apiclient.EventType(t).Known() {
			return nil, &InputError{Text: "types must be of " + strings.Join(EventTypes(), ", ")}
		}
		q.Types = append(q.Types, apiclient.EventType(t))
	}
	page, err := source.EventPage(ctx, q)
	if err != nil {
		return nil, err
	}
	list := &Events{Events: []Event{}, Note: unreadable(page.Data, "event")}
	for _, e := range apiclient.Readable(page.Data) {
		list.Events = append(list.Events, Event{
			ID: identifier(e.ID), Type: word(e.Type), OccurredAt: plausible(&e.OccurredAt),
			About: untrusted(record.EventAbout(e)),
		})
	}
	var ok bool
	if list.NextCursor, ok = cursorOf(page.NextCursor); !ok {
		list.Note = joinSentences(list.Note, noCursor)
	}
	return list, nil
}

// EventTypes returns the names of all event types.
func EventTypes() (names []string) {
	for _, t := range apiclient.EventTypes() {
		names = append(names, string(t))
	}
	return names
}
