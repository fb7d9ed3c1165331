package store

import (
	"fmt"
	"time"
)

// PruneEvents deletes events of all organizations that occurred before the given time, with
// their deliveries, but at most limit events. It returns how many events it deleted.
func (tx *Tx) PruneEvents(before time.Time, limit int) (int64, error) {
	// reached_at is never before occurred_at, so no newer event is deleted. SQLite reads the
	// tables of a CROSS JOIN in the order written. This order needs one index look-up for each
	// organization; otherwise all events would be scanned.
	result, err := tx.db.Exec(`DELETE FROM events WHERE (org_id, sequence) IN (
		SELECT e.org_id, e.sequence FROM organizations o CROSS JOIN events e
		WHERE e.org_id = o.id AND e.reached_at < ? LIMIT ?)`, micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old events: %w", err)
	}
	return result.RowsAffected()
}

// PruneResponses deletes up to limit stored responses from before the given time, and returns
// how many.
func (tx *Tx) PruneResponses(before time.Time, limit int) (int64, error) {
	// By key, PostgreSQL would scan the table while it is small; ctid avoids that.
	result, err := tx.db.Exec("DELETE FROM idempotency_keys WHERE "+tx.db.Pick(
		"(org_id, key) IN (SELECT org_id, key FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)",
		"ctid = ANY(ARRAY(SELECT ctid FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?))"),
		micros(before), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old responses: %w", err)
	}
	return result.RowsAffected()
}
