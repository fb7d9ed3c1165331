package store

import (
	"fmt"
	"time"
)

// PruneEvents deletes up to limit events that are older than the feed shows, with their
// deliveries, and returns how many. It is for all organizations.
func (tx *Tx) PruneEvents(before time.Time, limit int) (int64, error) {
	// reached_at is never before occurred_at, so no event that the feed shows is deleted.
	// SQLite runs a CROSS JOIN in the order written: one index lookup for each organization,
	// where its planner would scan all events.
	result, err := tx.db.Exec(`DELETE FROM events WHERE (org_id, sequence) IN (
		SELECT e.org_id, e.sequence FROM organizations o CROSS JOIN events e
		WHERE e.org_id = o.id AND e.reached_at < ? LIMIT ?)`, micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old events: %w", err)
	}
	return result.RowsAffected()
}

// PruneResponses deletes up to limit responses that were stored before the given time, and
// returns how many.
func (tx *Tx) PruneResponses(before time.Time, limit int) (int64, error) {
	// PostgreSQL would scan a small table instead of using its key; ctid avoids that.
	result, err := tx.db.Exec("DELETE FROM idempotency_keys WHERE "+tx.db.Pick(
		"(org_id, key) IN (SELECT org_id, key FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)",
		"ctid = ANY(ARRAY(SELECT ctid FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?))"),
		micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old responses: %w", err)
	}
	return result.RowsAffected()
}
