package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/events"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

// EndpointKey is the internal key of a webhook endpoint. It never leaves the service.
type EndpointKey int64

// DueEndpoint is a webhook endpoint that has pending deliveries.
type DueEndpoint struct {
	Endpoint EndpointKey
	At       time.Time // time at which its first delivery is due
	Failing  bool      // true if an attempt failed and none has succeeded since
}

// DueEndpoints returns all webhook endpoints with pending deliveries, even if no delivery is due
// yet or all are being attempted. It reads only one delivery of each endpoint.
func (s *Snapshot) DueEndpoints() ([]DueEndpoint, error) {
	rows, err := s.db.Query(`WITH RECURSIVE waiting(id) AS (
			SELECT min(endpoint_id) FROM webhook_deliveries WHERE status = 'pending' AND held = 0
			UNION ALL
			SELECT (SELECT min(endpoint_id) FROM webhook_deliveries
				WHERE status = 'pending' AND held = 0 AND endpoint_id > waiting.id)
			FROM waiting WHERE waiting.id IS NOT NULL)
		SELECT w.id,
			(SELECT min(due_at) FROM webhook_deliveries WHERE status = 'pending' AND held = 0 AND endpoint_id = w.id),
			e.failing_since IS NOT NULL
		FROM waiting w JOIN webhook_endpoints e ON e.id = w.id`)
	return database.Collect(rows, err, "the due endpoints", func(row database.Row) (d DueEndpoint, err error) {
		var at int64
		err = row.Scan(&d.Endpoint, &at, &d.Failing)
		d.At = fromMicros(at)
		return d, err
	})
}

// Attempt is a delivery that this process has claimed and may attempt. Body, URL and secrets are
// those at the time of the claim.
type Attempt struct {
	Delivery   int64 // internal key of the delivery
	Endpoint   EndpointKey
	DeliveryID string
	EndpointID string
	EventID    string
	EventType  events.Type
	Body       []byte // JSON envelope of the event
	URL        string
	Secrets    Secrets
	DueAt      time.Time
	Number     int // number of this attempt among all attempts at the delivery, from 1
	Failures   int // number of earlier attempts that are known to have failed
}

// ClaimDeliveries claims at most limit due deliveries of a webhook endpoint, in the order of their
// due times. Until leaseEnds no other process claims them. Then they are due again, so that
// deliveries claimed by a crashed process are attempted again. A delivery that was attempted
// maxAttempts times without a known outcome fails instead of being claimed.
func (tx *Tx) ClaimDeliveries(
	endpoint EndpointKey, now, leaseEnds time.Time, limit, maxAttempts int,
) ([]Attempt, error) {
	claimed := []Attempt{}
	for len(claimed) < limit {
		want := limit - len(claimed)
		due, err := tx.dueDeliveries(endpoint, now, want)
		if err != nil {
			return nil, err
		}
		for _, a := range due {
			if a.Number > maxAttempts {
				err = tx.execOne("UPDATE webhook_deliveries SET status = 'failed', due_at = NULL WHERE id = ?", a.Delivery)
			} else {
				claimed = append(claimed, a)
				err = tx.execOne("UPDATE webhook_deliveries SET attempt_count = ?, due_at = ?, last_attempt_at = ? WHERE id = ?",
					a.Number, micros(leaseEnds), micros(now), a.Delivery)
			}
			if err != nil {
				return nil, fmt.Errorf("claiming the delivery %s: %w", a.DeliveryID, err)
			}
		}
		if len(due) < want {
			break
		}
	}
	return claimed, nil
}

// dueDeliveries returns an attempt for each due delivery of a webhook endpoint, at most limit of
// them, without claiming them.
func (tx *Tx) dueDeliveries(endpoint EndpointKey, now time.Time, limit int) ([]Attempt, error) {
	rows, err := tx.db.Query(`SELECT d.id, d.public_id, e.public_id, d.event_id, d.event_type, v.body, e.url,
			e.secret, e.previous_secret, e.previous_expires_at, d.due_at, d.attempt_count + 1, d.failure_count
		FROM webhook_deliveries d
		JOIN webhook_endpoints e ON e.id = d.endpoint_id
		JOIN events v ON v.org_id = d.org_id AND v.sequence = d.event_sequence
		WHERE d.endpoint_id = ? AND d.status = 'pending' AND d.held = 0 AND d.due_at <= ?
		ORDER BY d.due_at, d.id LIMIT ?`+tx.db.Pick("", " FOR UPDATE OF d SKIP LOCKED"), endpoint, micros(now), limit)
	return database.Collect(rows, err, "the deliveries that are due", func(row database.Row) (Attempt, error) {
		a := Attempt{Endpoint: endpoint}
		var expires sql.NullInt64
		var due int64
		err := row.Scan(&a.Delivery, &a.DeliveryID, &a.EndpointID, &a.EventID, &a.EventType, &a.Body, &a.URL,
			&a.Secrets.Current, &a.Secrets.Previous, &expires, &due, &a.Number, &a.Failures)
		a.Secrets.PreviousExpiresAt, a.DueAt = timePointer(expires), fromMicros(due)
		return a, err
	})
}

// ConsequenceFunc returns what an attempt changes in its delivery and its webhook endpoint. Its
// argument is the endpoint as it is when the attempt ends, which may differ from the one at its
// beginning.
type ConsequenceFunc func(webhooks.Endpoint) webhooks.Consequence

// FinishAttempt records the outcome of an attempt that ended at endTime, and what it changes in the
// delivery and the endpoint. recorded is false if the delivery was meanwhile deleted, ended or
// claimed again; FinishAttempt changes nothing then.
func (tx *Tx) FinishAttempt(
	a Attempt, endTime time.Time, code int, problem webhooks.Problem, decide ConsequenceFunc,
) (recorded bool, err error) {
	if err := tx.lockEndpoint(a.Endpoint); err != nil {
		return false, err
	}
	var org OrgKey
	endpoint, err := scanEndpoint(rowWith{Row: tx.db.QueryRow(`SELECT e.org_id, `+qualified("e", endpointColumns)+`
		FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
		WHERE d.id = ? AND d.status = 'pending' AND d.attempt_count = ?`, a.Delivery, a.Number), before: []any{&org}})
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the endpoint of the delivery %s: %w", a.DeliveryID, err)
	}
	consequence := decide(endpoint)
	var due, delivered sql.NullInt64
	switch consequence.Status {
	case webhooks.Pending:
		due = sql.NullInt64{Int64: micros(endTime.Add(consequence.RetryIn)), Valid: true}
	case webhooks.Delivered:
		delivered = sql.NullInt64{Int64: micros(endTime), Valid: true}
	}
	test := a.EventType == events.TestEvent
	failures := a.Failures
	if problem != webhooks.NoProblem {
		failures++
	}
	// If the endpoint was paused during the attempt, the pending delivery is held.
	held := consequence.Status == webhooks.Pending && !test && endpoint.Status != webhooks.Active
	err = tx.execOne(`UPDATE webhook_deliveries SET status = ?, held = ?, failure_count = ?, due_at = ?, last_code = ?,
			last_problem = ?, delivered_at = ? WHERE id = ?`,
		string(consequence.Status), bit(held), failures, due, code, string(problem), delivered, a.Delivery)
	if err != nil {
		return false, fmt.Errorf("writing the outcome of the delivery %s: %w", a.DeliveryID, err)
	}
	return true, tx.applyToEndpoint(org, a.Endpoint, endpoint, consequence, endTime)
}

// applyToEndpoint changes a webhook endpoint as the consequence of an attempt requires.
func (tx *Tx) applyToEndpoint(
	org OrgKey, key EndpointKey, e webhooks.Endpoint, c webhooks.Consequence, at time.Time,
) error {
	switch {
	case c.Disable != "" && e.Status == webhooks.Active:
		e.Status, e.DisabledAt, e.DisabledReason, e.UpdatedAt = webhooks.AutoDisabled, &at, c.Disable, at
		if e.FailingSince == nil {
			e.FailingSince = &at
		}
		if err := tx.UpdateEndpoint(org, e); err != nil {
			return err
		}
		_, err := tx.db.Exec(`UPDATE webhook_deliveries SET status = 'failed', due_at = NULL, held = 0
			WHERE endpoint_id = ? AND status = 'pending' AND event_type <> 'test.event'`, key)
		if err != nil {
			return fmt.Errorf("ending the deliveries to %s: %w", e.ID, err)
		}
	case c.StartFailing && e.FailingSince == nil:
		_, err := tx.db.Exec("UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?", micros(at), key)
		return err
	case c.StopFailing && e.FailingSince != nil:
		_, err := tx.db.Exec("UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ?", key)
		return err
	}
	return nil
}

// ReleaseAttempt makes the delivery of a canceled attempt due again immediately. The attempt still
// counts as an attempt, but not as a failure.
func (tx *Tx) ReleaseAttempt(a Attempt, now time.Time) error {
	_, err := tx.db.Exec(`UPDATE webhook_deliveries SET due_at = ?
		WHERE id = ? AND status = 'pending' AND attempt_count = ?`, micros(now), a.Delivery, a.Number)
	if err != nil {
		return fmt.Errorf("giving the delivery %s back: %w", a.DeliveryID, err)
	}
	return nil
}

// OutboxDepth counts the deliveries of all organizations that are neither delivered nor failed.
type OutboxDepth struct {
	Pending  int // number of pending deliveries that are not held
	Held     int
	OldestAt *time.Time // when the oldest pending delivery was created; nil if there is none
}

// OutboxDepth counts the pending and the held deliveries of all organizations.
func (s *Snapshot) OutboxDepth() (d OutboxDepth, err error) {
	var oldest sql.NullInt64
	err = s.db.QueryRow("SELECT count(*), min(created_at) FROM webhook_deliveries WHERE status = 'pending' AND held = 0").
		Scan(&d.Pending, &oldest)
	if err != nil {
		return OutboxDepth{}, fmt.Errorf("counting the deliveries: %w", err)
	}
	err = s.db.QueryRow("SELECT count(*) FROM webhook_deliveries WHERE held = 1 AND status = 'pending'").Scan(&d.Held)
	if err != nil {
		return OutboxDepth{}, fmt.Errorf("counting the held deliveries: %w", err)
	}
	d.OldestAt = timePointer(oldest)
	return d, nil
}

// Backlog counts a webhook endpoint's deliveries that are neither delivered nor failed.
type Backlog struct {
	Pending int // number of deliveries that are due now or later
	Held    int // number of deliveries that wait until the endpoint is active again
}

// Backlogs returns the backlogs of the organization's webhook endpoints, keyed by the endpoint's
// public id. Endpoints without a backlog are left out.
func (s *Snapshot) Backlogs(org OrgKey) (map[string]Backlog, error) {
	rows, err := s.db.Query(`SELECT e.public_id,
			(SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'pending' AND held = 0),
			(SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'pending' AND held = 1)
		FROM webhook_endpoints e WHERE e.org_id = ?`, org)
	backlogs := map[string]Backlog{}
	_, err = database.Collect(rows, err, "what waits to be delivered", func(row database.Row) (id string, err error) {
		var b Backlog
		if err = row.Scan(&id, &b.Pending, &b.Held); err == nil && b != (Backlog{}) {
			backlogs[id] = b
		}
		return id, err
	})
	return backlogs, err
}
