package store

import (
	"database/sql"
	"fmt"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

// subscriber is an endpoint that events are queued for.
type subscriber struct {
	key EndpointKey
	webhooks.Endpoint
}

func (tx *Tx) subscribers(org OrgKey) ([]subscriber, error) {
	rows, err := tx.db.Query("SELECT id, "+endpointColumns+" FROM webhook_endpoints WHERE org_id = ? AND status = 'active' ORDER BY id"+tx.db.Pick("", " FOR SHARE"), org)
	return database.Collect(rows, err, "the webhook endpoints", func(row database.Row) (s subscriber, err error) {
		s.Endpoint, err = scanEndpoint(rowWith{Row: row, before: []any{&s.key}})
		return s, err
	})
}

// queue adds the delivery of an event to an endpoint, due at once.
func (tx *Tx) queue(org OrgKey, sequence int64, e events.Event, endpoint EndpointKey, endpointID string) (deliveryID string, err error) {
	deliveryID = ids.Derived(ids.Delivery, e.ID, endpointID)
	_, err = tx.db.Exec(`INSERT INTO webhook_deliveries (public_id, endpoint_id, org_id, event_sequence, event_id, event_type, status, due_at, created_at)
		VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
		deliveryID, endpoint, org, sequence, e.ID, string(e.Type), micros(e.OccurredAt), micros(e.OccurredAt))
	if err != nil {
		return "", fmt.Errorf("queueing the delivery of %s to %s: %w", e.ID, endpointID, err)
	}
	tx.db.Notify()
	return deliveryID, nil
}

// QueueTest adds a test event to the organization's feed and queues it for one
// endpoint alone, whatever that endpoint's status and event types. It returns
// ErrNotFound when there is no such endpoint.
func (tx *Tx) QueueTest(org OrgKey, endpointID string, e events.Event) (deliveryID string, err error) {
	if err := tx.lock(org); err != nil {
		return "", err
	}
	var endpoint EndpointKey
	err = tx.db.QueryRow("SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?", endpointID, org).Scan(&endpoint)
	if err != nil {
		return "", notFound(err, "the webhook endpoint")
	}
	last, err := tx.appendToFeed(org, []events.Event{e})
	if err != nil {
		return "", err
	}
	return tx.queue(org, last, e, endpoint, endpointID)
}

// HoldDeliveries keeps what is pending for an endpoint from being attempted,
// tests excepted.
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

// ReleaseDeliveries lets what was held for an endpoint be attempted again. What
// was created before stale fails instead; the rest falls due at now or when it
// was due, whichever is later, each by its own part of spread later.
func (tx *Tx) ReleaseDeliveries(org OrgKey, endpointID string, now, stale time.Time, spread time.Duration) error {
	if err := tx.lockEndpointOf(org, endpointID); err != nil {
		return err
	}
	_, err := tx.db.Exec(`UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, held = 0
		WHERE endpoint_id = (SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?)
			AND held = 1 AND status = 'pending' AND created_at < ?`, endpointID, org, micros(stale))
	if err != nil {
		return fmt.Errorf("ending old deliveries to %s: %w", endpointID, err)
	}
	// Rows of one endpoint differ in id; its last digits scatter them.
	result, err := tx.db.Exec(`UPDATE webhook_deliveries SET held = 0, due_at = CASE WHEN due_at > ? THEN due_at ELSE ? END + (id * 7919 % 1000) * ? / 1000
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

// ResetDueTimes makes what falls due only after latest due at now instead, for
// all organizations; at most limit of it. It returns how many.
func (tx *Tx) ResetDueTimes(now, latest time.Time, limit int) (int64, error) {
	// A cross join keeps to the order written: one step in an index for each endpoint.
	result, err := tx.db.Exec(`UPDATE webhook_deliveries SET due_at = ? WHERE id IN (
		SELECT d.id FROM webhook_endpoints e CROSS JOIN webhook_deliveries d
		WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.held = 0 AND d.due_at > ? LIMIT ?)`, micros(now), micros(latest), limit)
	if err != nil {
		return 0, fmt.Errorf("recalling deliveries: %w", err)
	}
	n, err := result.RowsAffected()
	if n > 0 {
		tx.db.Notify()
	}
	return n, err
}

// Deliveries returns the newest deliveries to an endpoint, or ErrNotFound when
// the organization has no such endpoint.
func (s *Snapshot) Deliveries(org OrgKey, endpointID string, limit int) ([]webhooks.Delivery, error) {
	var endpoint EndpointKey
	err := s.db.QueryRow("SELECT id FROM webhook_endpoints WHERE public_id = ? AND org_id = ?", endpointID, org).Scan(&endpoint)
	if err != nil {
		return nil, notFound(err, "the webhook endpoint")
	}
	rows, err := s.db.Query(`SELECT public_id, event_id, event_type, status, attempt_count, last_code, last_problem, due_at,
			created_at, last_attempt_at, delivered_at
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
