package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// sshSessionLost is the age of SSHSession.SeenAt from which a session counts as lost: its process
// has died.
const sshSessionLost = 2 * time.Minute

// SSHSession is a person's use of the dashboard over SSH, for audits. Times are in UTC.
type SSHSession struct {
	ID      string // random; unique among all processes
	Key     SSHKeyKey
	Process string // ID of the process that serves the session
	Remote  string // address and port of the client
	Client  string // the client's version
	BeganAt time.Time

	// The following fields are set by SSHSessions; StartSSHSession ignores them.

	KeyPublicID string // "ssh_…"
	KeyName     string // name of the person
	SeenAt      time.Time
	EndedAt     *time.Time // nil if the session is open or lost
	EndReason   string
	Proposed    int // number of invoices that the person proposed

	// Killed is true if the process is known to have been killed. Store.SSHSessions never sets it.
	Killed bool
}

// Lost reports whether the session's process died before it could record the session's end.
func (s SSHSession) Lost(now time.Time) bool {
	return s.EndedAt == nil && (s.Killed || now.Sub(s.SeenAt) >= sshSessionLost)
}

// StartSSHSession records that a session has begun and that its key was used. It returns
// ErrNotFound if there is no such key.
func (tx *Tx) StartSSHSession(s SSHSession) error {
	began := micros(s.BeganAt)
	err := tx.execOne(`INSERT INTO ssh_sessions (public_id, org_id, key_id, process, remote, client, began_at, seen_at)
		SELECT CAST(? AS TEXT), org_id, id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),
			CAST(? AS BIGINT) FROM ssh_keys WHERE id = ?`, s.ID, s.Process, s.Remote, s.Client, began, began, s.Key)
	if err == nil {
		err = tx.touchSSHKey(s.Key, s.BeganAt)
	}
	if err != nil {
		return fmt.Errorf("recording the session's start: %w", err)
	}
	return nil
}

// touchSSHKey records that a key was used. It changes nothing if a later use is recorded.
func (tx *Tx) touchSSHKey(key SSHKeyKey, at time.Time) error {
	_, err := tx.db.Exec("UPDATE ssh_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?",
		micros(at), key, micros(at))
	return err
}

// CountSSHProposal records that an invoice was proposed in a session. It belongs into the
// transaction that inserts the invoice. A session that is not recorded changes nothing.
func (tx *Tx) CountSSHProposal(id string) error {
	if _, err := tx.db.Exec("UPDATE ssh_sessions SET proposed = proposed + 1 WHERE public_id = ?", id); err != nil {
		return fmt.Errorf("counting the session's proposal: %w", err)
	}
	return nil
}

// EndSSHSession records the end of a session and why it ended, and releases the names that the
// session has claimed. If the end is recorded already, it changes nothing. It returns ErrNotFound
// if there is no such session.
func (tx *Tx) EndSSHSession(id string, at time.Time, reason string) error {
	var key SSHKeyKey
	err := tx.db.QueryRow(`UPDATE ssh_sessions SET end_reason = CASE WHEN ended_at IS NULL THEN ? ELSE end_reason END,
			seen_at = coalesce(ended_at, ?), ended_at = coalesce(ended_at, ?)
		WHERE public_id = ? RETURNING key_id`, reason, micros(at), micros(at), id).Scan(&key)
	if err != nil {
		return notFound(err, "the session")
	}
	if _, err := tx.db.Exec("DELETE FROM ssh_document_claims WHERE session = ?", id); err != nil {
		return fmt.Errorf("releasing the session's documents: %w", err)
	}
	return tx.touchSSHKey(key, at)
}

// SSHSessions returns the organization's sessions, newest first, but at most limit.
func (s *Store) SSHSessions(ctx context.Context, org OrgKey, limit int) ([]SSHSession, error) {
	rows, err := s.db.Reader.QueryContext(ctx, `SELECT s.public_id, s.key_id, s.process, s.remote, s.client, s.began_at,
			k.public_id, k.name, s.seen_at, s.ended_at, s.end_reason, s.proposed
		FROM ssh_sessions s JOIN ssh_keys k ON k.id = s.key_id WHERE s.org_id = ? ORDER BY s.id DESC LIMIT ?`, org, limit)
	return database.Collect(rows, err, "the SSH sessions", func(row database.Row) (one SSHSession, err error) {
		var began, seen int64
		var ended sql.NullInt64
		err = row.Scan(&one.ID, &one.Key, &one.Process, &one.Remote, &one.Client, &began, &one.KeyPublicID, &one.KeyName,
			&seen, &ended, &one.EndReason, &one.Proposed)
		one.BeganAt, one.SeenAt, one.EndedAt = fromMicros(began), fromMicros(seen), timePointer(ended)
		return one, err
	})
}

// SSHRemotes returns the addresses and ports of clients that had the latest sessions of all
// organizations, newest first, but at most limit.
func (s *Store) SSHRemotes(ctx context.Context, limit int) ([]string, error) {
	rows, err := s.db.Reader.QueryContext(ctx, "SELECT remote FROM ssh_sessions ORDER BY id DESC LIMIT ?", limit)
	return database.Collect(rows, err, "the clients of SSH sessions", func(row database.Row) (remote string, err error) {
		return remote, row.Scan(&remote)
	})
}
