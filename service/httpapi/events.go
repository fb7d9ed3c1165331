package httpapi

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"tarmac/service/events"
	"tarmac/service/store"
)

const (
	maxEvents     = 100
	defaultEvents = 50
)

// eventPage is a page of events (docs/api.md, Event list). Each event is sent as the stored bytes,
// which webhook deliveries send too.
type eventPage struct {
	events []events.Event
	next   string
}

func (p eventPage) appendJSON(b []byte) []byte {
	b = append(b, `{"data":[`...)
	for i, e := range p.events {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, e.Body...)
	}
	b = append(b, ']')
	b = appendField(b, "next_cursor", p.next)
	return append(b, '}')
}

type envelope []byte

func (e envelope) appendJSON(b []byte) []byte { return append(b, e...) }

// listEvents responds with a page of events, newest first. If the parameter starting_after names an
// event, the page starts with the next older one. The named event may have any type.
func listEvents(c *call) (any, error) {
	values, err := c.query("types", "limit", "starting_after")
	if err != nil {
		return nil, err
	}
	types, err := eventTypes(values)
	if err != nil {
		return nil, err
	}
	size, err := pageSize(values, maxEvents, defaultEvents)
	if err != nil {
		return nil, err
	}
	q := store.FeedQuery{Types: types, Since: c.now.AddDate(0, 0, -events.RetentionDays), Limit: size + 1}
	var found []events.Event
	err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		if values.Has("starting_after") {
			q.Before, err = snap.EventSequence(c.credential.Org, values.Get("starting_after"), q.Since)
			if errors.Is(err, store.ErrNotFound) {
				return invalid("starting_after is not a known event id")
			}
			if err != nil {
				return err
			}
		}
		found, err = snap.Feed(c.credential.Org, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	page := eventPage{events: found}
	if len(found) > size {
		page.events = found[:size]
		page.next = found[size-1].ID
	}
	return page, nil
}

// eventTypes returns the event types in the comma-separated parameter "types", without duplicates.
// It returns nil if the parameter is missing. Spaces around a type are ignored.
func eventTypes(values url.Values) ([]events.Type, error) {
	if !values.Has("types") {
		return nil, nil
	}
	var types []events.Type
	for name := range strings.SplitSeq(values.Get("types"), ",") {
		name = strings.Trim(name, " ")
		t, ok := events.ParseType(name)
		if !ok {
			return nil, invalid("unknown event type%s", quoted(name))
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types, nil
}

// getEvent responds with one event. Events older than events.RetentionDays are not found
// (docs/api.md, Retention).
func getEvent(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var e events.Event
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		e, err = snap.Event(c.credential.Org, c.pathParam, c.now.AddDate(0, 0, -events.RetentionDays))
		return err
	})
	if err != nil {
		return nil, lookupError(err, "event")
	}
	return envelope(e.Body), nil
}
