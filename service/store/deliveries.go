package store

import (
	"database/sql"
	"fmt"
	"slices"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

// subscriber is an active webhook endpoint. Events of the types that it subscribes to are queued
// for it.
type subscriber struct {
	key EndpointKey
	webhooks.Endpoint
}

func (tx *Tx) subscribers(org OrgKey) ([]subscriber, error) {
	rows, err := tx.db.Query("SELECT id, "+endpointColumns+` FROM webhook_endpoints
		WHERE org_id = ? AND status = 'active' ORDER BY id`+tx.db.Pick("", " FOR SHARE"), org)
	return database.Collect(rows, err, "the webhook endpoints", func(row database.Row) (s subscriber, err error) {
		s.Endpoint, err = scanEndpoint(rowWith{Row: row, before: []any{&s.key}})
		return s, err
	})
}

// enqueue queues the delivery of an event to a webhook endpoint. The delivery is due immediately.
func (tx *Tx) enqueue(
	org OrgKey, sequence int64, e events.Event, endpoint EndpointKey, endpointID string,
) (deliveryID string, err error) {
	deliveryID = ids.Derived(ids.Delivery, e.ID, endpointID)
	_, err = tx.db.Exec(`INSERT INTO webhook_deliveries
			(public_id, endpoint_id, org_id, event_sequence, event_id, event_type, status, due_at, created_at)
		VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
		deliveryID, endpoint, org, sequence, e.ID, string(e.Type), micros(e.OccurredAt), micros(e.OccurredAt))
	if err != nil {
		return "", fmt.Errorf("queueing the delivery of %s to %s: %w", e.ID, endpointID, err)
	}
	tx.db.Notify()
	return deliveryID, nil
}

// QueueTest adds a test event to the organization's feed and queues its delivery to one webhook
// endpoint, whatever that endpoint's status and event types are. It returns ErrNotFound if the
// organization has no such endpoint.
func (tx *Tx) QueueTest(org OrgKey, endpointID string, e events.Event) (deliveryID string, err error) {
	if err := tx.lock(org); err != nil {
		return "", err
	}
	endpoint, err := readEndpointKey(tx.db, org, endpointID)
	if err != nil {
		return "", err
	}
	last, err := tx.appendToFeed(org, []events.Event{e})
	if err != nil {
		return "", err
	}
	return tx.enqueue(org, last, e, endpoint, endpointID)
}

// QueueLatest queues the deliveries of the newest events of the organization's feed, at most limit
// of them, to the active webhook endpoints that subscribe to their types. None of them may have
// been queued before.
func (tx *Tx) QueueLatest(org OrgKey, limit int) error {
	if err := tx.lock(org); err != nil {
		return err
	}
	type queued struct {
		sequence int64
		events.Event
	}
	rows, err := tx.db.Query(`SELECT sequence, public_id, type, occurred_at, body FROM events
		WHERE org_id = ? ORDER BY sequence DESC LIMIT ?`, org, limit)
	latest, err := database.Collect(rows, err, "the newest events", func(row database.Row) (q queued, err error) {
		q.Event, err = scanEvent(rowWith{Row: row, before: []any{&q.sequence}})
		return q, err
	})
	if err != nil {
		return err
	}
	subscribers, err := tx.subscribers(org)
	if err != nil {
		return err
	}
	for _, q := range slices.Backward(latest) {
		for _, s := range subscribers {
			if !s.Wants(q.Type) {
				continue
			}
			if _, err := tx.enqueue(org, q.sequence, q.Event, s.key, s.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// HoldDeliveries prevents that a webhook endpoint's pending deliveries are sent until
// ReleaseDeliveries is called. Deliveries of test events are not held.
func (tx *Tx) HoldDeliveries(org OrgKey, endpointID string) error {
	if err := tx.lockEndpointOf(org, endpointID); err != nil {
		return err
	}
	_, err := tx.db.Exec(`UPDATE webhook_deliveries SET held = 1
		WHERE endpoint_id = (SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?)
			AND status = 'pending' AND held = 0 AND event_type <> 'test.event'`, endpointID, org)
	if err != nil {
		return fmt.Errorf("holding the deliveries to %s: %w", endpointID, err)
	}
	return nil
}

// ReleaseDeliveries lets a webhook endpoint's held deliveries be sent again. Those created before
// expiredBefore fail instead. The others keep their due time, or are due now if it has passed. Each
// due time gets an additional delay of at most spread, so that deliveries are not all sent at once.
func (tx *Tx) ReleaseDeliveries(
	org OrgKey, endpointID string, now, expiredBefore time.Time, spread time.Duration,
) error {
	if err := tx.lockEndpointOf(org, endpointID); err != nil {
		return err
	}
	_, err := tx.db.Exec(`UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, held = 0
		WHERE endpoint_id = (SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?)
			AND held = 1 AND status = 'pending' AND created_at < ?`, endpointID, org, micros(expiredBefore))
	if err != nil {
		return fmt.Errorf("ending old deliveries to %s: %w", endpointID, err)
	}
	// The delay depends on the delivery's id, which spreads deliveries evenly.
	result, err := tx.db.Exec(`UPDATE webhook_deliveries SET held = 0,
			due_at = CASE WHEN due_at > ? THEN due_at ELSE ? END + (id * 7919 % 1000) * ? / 1000
		WHERE endpoint_id = (SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?)
			AND held = 1 AND status = 'pending'`, micros(now), micros(now), spread.Microseconds(), endpointID, org)
	if err != nil {
		return fmt.Errorf("releasing the deliveries to %s: %w", endpointID, err)
	}
	n, err := result.RowsAffected()
	if n > 0 {
		tx.db.Notify()
	}
	return err
}

// ResetDueTimes makes deliveries due now whose due time is after latest. Such due times remain
// after a system clock that was ahead is set back. It changes at most limit deliveries, of all
// organizations, and returns how many it changed.
func (tx *Tx) ResetDueTimes(now, latest time.Time, limit int) (int64, error) {
	// SQLite reads the tables of a CROSS JOIN in the written order. With this order, it needs one
	// index look-up for each endpoint.
	result, err := tx.db.Exec(`UPDATE webhook_deliveries SET due_at = ? WHERE id IN (
		SELECT d.id FROM webhook_endpoints e CROSS JOIN webhook_deliveries d
		WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.held = 0 AND d.due_at > ? LIMIT ?)`,
		micros(now), micros(latest), limit)
	if err != nil {
		return 0, fmt.Errorf("resetting due times: %w", err)
	}
	n, err := result.RowsAffected()
	if n > 0 {
		tx.db.Notify()
	}
	return n, err
}

// Deliveries returns the newest deliveries to a webhook endpoint, at most limit of them. It returns
// ErrNotFound if the organization has no such endpoint.
func (s *Snapshot) Deliveries(org OrgKey, endpointID string, limit int) ([]webhooks.Delivery, error) {
	endpoint, err := readEndpointKey(s.db, org, endpointID)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(`SELECT public_id, event_id, event_type, status, attempt_count, last_code, last_problem,
			due_at, created_at, last_attempt_at, delivered_at
		FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id DESC LIMIT ?`, endpoint, limit)
	return database.Collect(rows, err, "the deliveries", scanDelivery)
}

func scanDelivery(row database.Row) (d webhooks.Delivery, err error) {
	var due, attempted, delivered sql.NullInt64
	var created int64
	err = row.Scan(&d.ID, &d.EventID, &d.EventType, &d.Status, &d.AttemptCount, &d.LastResponseCode, &d.LastProblem, &due,
		&created, &attempted, &delivered)
	d.CreatedAt = fromMicros(created)
	d.NextRetryAt, d.LastAttemptAt, d.DeliveredAt = timePointer(due), timePointer(attempted), timePointer(delivered)
	return d, err
}
