package store

import (
	"fmt"
	"time"
)

// PruneEvents deletes events of all organizations that can no longer be read,
// with their deliveries; at most limit of them. It returns how many.
func (tx *Tx) PruneEvents(before time.Time, limit int) (int64, error) {
	// The feed's window is cut by reached_at, which is never before occurred_at.
	// A cross join keeps to the order written: one step in an index for each
	// organization, where the planner would look through all events.
	result, err := tx.db.Exec(`DELETE FROM events WHERE (org_id, sequence) IN (
		SELECT e.org_id, e.sequence FROM organizations o CROSS JOIN events e WHERE e.org_id = o.id AND e.reached_at < ? LIMIT ?)`,
		micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old events: %w", err)
	}
	return result.RowsAffected()
}

// PruneResponses deletes answers to repeated requests that were kept before the
// given time; at most limit of them. It returns how many.
func (tx *Tx) PruneResponses(before time.Time, limit int) (int64, error) {
	// PostgreSQL would hold all keys against those, as long as there are few.
	result, err := tx.db.Exec("DELETE FROM idempotency_keys WHERE "+tx.db.Pick(
		"(org_id, key) IN (SELECT org_id, key FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)",
		"ctid = ANY(ARRAY(SELECT ctid FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?))"), micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old answers: %w", err)
	}
	return result.RowsAffected()
}
