package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"tarmac/service/events"
	"tarmac/service/store/database"
)

// AppendEvents adds events to the end of the organization's feed, in the given order, and queues
// their deliveries to the active webhook endpoints that subscribe to their types. A feed is in the
// order of commits, which may differ from the order in which events occurred (docs/api.md, Event
// order).
func (tx *Tx) AppendEvents(org OrgKey, evs []events.Event) error {
	if len(evs) == 0 {
		return nil
	}
	if err := tx.lock(org); err != nil {
		return err
	}
	last, err := tx.appendToFeed(org, evs)
	if err != nil {
		return err
	}
	subscribers, err := tx.subscribers(org)
	if err != nil {
		return err
	}
	for i, e := range evs {
		for _, s := range subscribers {
			if !s.Wants(e.Type) {
				continue
			}
			if _, err := tx.enqueue(org, last-int64(len(evs)-1-i), e, s.key, s.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendToFeed adds events to the organization's feed and returns the sequence number of the last
// one.
func (tx *Tx) appendToFeed(org OrgKey, evs []events.Event) (last int64, err error) {
	err = tx.db.QueryRow(`UPDATE organizations SET event_sequence = event_sequence + ?
		WHERE id = ? RETURNING event_sequence`, len(evs), org).Scan(&last)
	if err != nil {
		return 0, notFound(err, "the organization's feed")
	}
	var reached int64
	newest := "SELECT reached_at FROM events WHERE org_id = ? ORDER BY sequence DESC LIMIT 1"
	err = tx.db.QueryRow(newest, org).Scan(&reached)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("reading the feed's end: %w", err)
	}
	for i, e := range evs {
		reached = max(reached, micros(e.OccurredAt))
		sequence := last - int64(len(evs)-1-i)
		_, err := tx.db.Exec(`INSERT INTO events (org_id, sequence, public_id, type, occurred_at, reached_at, body)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, org, sequence, e.ID, string(e.Type), micros(e.OccurredAt), reached, e.Body)
		if err != nil {
			return 0, fmt.Errorf("adding the event %s: %w", e.ID, err)
		}
	}
	return last, nil
}

// FeedQuery selects a page of an organization's feed.
type FeedQuery struct {
	Types  []events.Type // types of events to return; empty for all types
	Since  time.Time     // time of the oldest events to return
	Before int64         // sequence number below which events are returned; 0 for no limit
	Limit  int
}

// Feed returns a page of the organization's events, newest first, without retired ones. It finds
// the first event after q.Since in an index, so older events are not read.
func (s *Snapshot) Feed(org OrgKey, q FeedQuery) ([]events.Event, error) {
	var first int64
	err := s.db.QueryRow(`SELECT sequence FROM events WHERE org_id = ? AND reached_at >= ?
		ORDER BY reached_at, sequence LIMIT 1`, org, micros(q.Since)).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return []events.Event{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the feed's beginning: %w", err)
	}
	var query strings.Builder
	query.WriteString(`SELECT public_id, type, occurred_at, body FROM events
		WHERE org_id = ? AND sequence >= ? AND occurred_at >= ? AND type <> ?`)
	args := []any{org, first, micros(q.Since), string(events.Retired)}
	if q.Before > 0 {
		query.WriteString(" AND sequence < ?")
		args = append(args, q.Before)
	}
	if len(q.Types) > 0 {
		query.WriteString(" AND type IN (?" + strings.Repeat(", ?", len(q.Types)-1) + ")")
		for _, t := range q.Types {
			args = append(args, string(t))
		}
	}
	query.WriteString(" ORDER BY sequence DESC LIMIT ?")
	rows, err := s.db.Query(query.String(), append(args, q.Limit)...)
	return database.Collect(rows, err, "the events", scanEvent)
}

// EventSequence returns an event's sequence number in the organization's feed, also of a retired
// event. It returns ErrNotFound if there is no such event, or if the event occurred before cutoff.
func (s *Snapshot) EventSequence(org OrgKey, publicID string, cutoff time.Time) (int64, error) {
	var sequence int64
	err := s.db.QueryRow("SELECT sequence FROM events WHERE public_id = ? AND org_id = ? AND occurred_at >= ?",
		publicID, org, micros(cutoff)).Scan(&sequence)
	if err != nil {
		return 0, notFound(err, "the event")
	}
	return sequence, nil
}

// Event returns one of the organization's events. It returns ErrNotFound if there is no such event,
// if it is retired, or if it occurred before cutoff.
func (s *Snapshot) Event(org OrgKey, publicID string, cutoff time.Time) (events.Event, error) {
	e, err := scanEvent(s.db.QueryRow(`SELECT public_id, type, occurred_at, body FROM events
		WHERE public_id = ? AND org_id = ? AND occurred_at >= ? AND type <> ?`, publicID, org, micros(cutoff),
		string(events.Retired)))
	if err != nil {
		return events.Event{}, notFound(err, "the event")
	}
	return e, nil
}

func scanEvent(row database.Row) (e events.Event, err error) {
	var occurred int64
	err = row.Scan(&e.ID, &e.Type, &occurred, &e.Body)
	e.OccurredAt = fromMicros(occurred)
	return e, err
}
