package store

import (
	"fmt"
	"time"
)

// PruneEvents deletes events of all organizations that occurred before cutoff, and their
// deliveries. It deletes at most limit events and returns how many it deleted.
func (tx *Tx) PruneEvents(cutoff time.Time, limit int) (int64, error) {
	// The time reached_at is never before occurred_at, so this condition deletes no newer event.
	// SQLite reads the tables of a CROSS JOIN in the written order. With this order, it needs one
	// index look-up for each organization and does not scan all events.
	result, err := tx.db.Exec(`DELETE FROM events WHERE (org_id, sequence) IN (
		SELECT e.org_id, e.sequence FROM organizations o CROSS JOIN events e
		WHERE e.org_id = o.id AND e.reached_at < ? LIMIT ?)`, micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old events: %w", err)
	}
	return result.RowsAffected()
}

// PruneResponses deletes stored responses from before cutoff. It deletes at most limit responses
// and returns how many it deleted.
func (tx *Tx) PruneResponses(cutoff time.Time, limit int) (int64, error) {
	// PostgreSQL deletes by ctid, because by key it would scan the whole table while the table is
	// small.
	result, err := tx.db.Exec("DELETE FROM idempotency_keys WHERE "+tx.db.Pick(
		"(org_id, key) IN (SELECT org_id, key FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)",
		"ctid = ANY(ARRAY(SELECT ctid FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?))"),
		micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old responses: %w", err)
	}
	return result.RowsAffected()
}

// PruneSSHSessions deletes sessions over SSH that began and were last seen before cutoff. It
// deletes at most limit sessions and returns how many it deleted.
func (tx *Tx) PruneSSHSessions(cutoff time.Time, limit int) (int64, error) {
	result, err := tx.db.Exec(`DELETE FROM ssh_sessions WHERE id IN (
		SELECT id FROM ssh_sessions WHERE began_at < ? AND seen_at < ? ORDER BY began_at LIMIT ?)`,
		micros(cutoff), micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old sessions over SSH: %w", err)
	}
	return result.RowsAffected()
}

// PruneSSHProcesses deletes processes that served sessions over SSH and were last seen before
// cutoff. It deletes at most limit processes and returns how many it deleted.
func (tx *Tx) PruneSSHProcesses(cutoff time.Time, limit int) (int64, error) {
	result, err := tx.db.Exec(`DELETE FROM ssh_processes WHERE id IN (
		SELECT id FROM ssh_processes WHERE seen_at < ? LIMIT ?)`, micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting old processes of sessions over SSH: %w", err)
	}
	return result.RowsAffected()
}

// PruneSSHClaims deletes claims to names of documents whose session was last seen before cutoff,
// because its process was killed. It deletes at most limit claims and returns how many it deleted.
func (tx *Tx) PruneSSHClaims(cutoff time.Time, limit int) (int64, error) {
	result, err := tx.db.Exec(`DELETE FROM ssh_document_claims WHERE (key_id, name) IN (
		SELECT c.key_id, c.name FROM ssh_document_claims c
		WHERE NOT EXISTS (SELECT 1 FROM ssh_sessions s WHERE s.public_id = c.session AND s.seen_at >= ?) LIMIT ?)`,
		micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting claims of lost sessions over SSH: %w", err)
	}
	return result.RowsAffected()
}

// PruneSSHDocuments deletes documents of SSH keys that were revoked or expired before cutoff. It
// deletes at most limit documents and returns how many it deleted.
func (tx *Tx) PruneSSHDocuments(cutoff time.Time, limit int) (int64, error) {
	result, err := tx.db.Exec(`DELETE FROM ssh_documents WHERE (key_id, name) IN (
		SELECT d.key_id, d.name FROM ssh_keys k JOIN ssh_documents d ON d.key_id = k.id
		WHERE coalesce(k.revoked_at, k.expires_at) < ? LIMIT ?)`, micros(cutoff), limit)
	if err != nil {
		return 0, fmt.Errorf("deleting documents of ended SSH keys: %w", err)
	}
	return result.RowsAffected()
}
