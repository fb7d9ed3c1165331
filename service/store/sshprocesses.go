package store

import (
	"context"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// SSHProcess is a process that serves the dashboard over SSH. Times are in UTC.
type SSHProcess struct {
	ID      string // random; unique among all processes
	Host    string // name of the machine
	Address string // on which the process listens, for example "127.0.0.1:2222"
	HostKey string // fingerprint of the key by which clients recognize it ("SHA256:…")
	// Identity names the process for other processes of the same machine (package processes); "" if
	// it is not known.
	Identity string
	BeganAt  time.Time
	SeenAt   time.Time // last time at which the process wrote that it runs; set by SSHProcesses
}

// LostAt returns the time from which the process counts as dead, if it does not write before then
// that it still runs.
func (p SSHProcess) LostAt() time.Time { return p.SeenAt.Add(sshSessionLost) }

// StartSSHProcess records that a process serves sessions from now on.
func (tx *Tx) StartSSHProcess(p SSHProcess) error {
	began := micros(p.BeganAt)
	_, err := tx.db.Exec(`INSERT INTO ssh_processes (id, host, address, host_key, identity, began_at, seen_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, p.ID, p.Host, p.Address, p.HostKey, p.Identity, began, began)
	if err != nil {
		return fmt.Errorf("recording the process: %w", err)
	}
	return nil
}

// KeepSSHProcess records that a process and its open sessions are still there. A process that does
// not call it at least once a minute counts as dead, and its sessions as lost (SSHSession.Lost):
// others may then claim the names that they have claimed.
func (tx *Tx) KeepSSHProcess(id string, at time.Time) error {
	for _, query := range []string{
		"UPDATE ssh_processes SET seen_at = ? WHERE id = ? AND ended_at IS NULL",
		"UPDATE ssh_sessions SET seen_at = ? WHERE process = ? AND ended_at IS NULL",
	} {
		if _, err := tx.db.Exec(query, micros(at), id); err != nil {
			return fmt.Errorf("recording that sessions are open: %w", err)
		}
	}
	return nil
}

// EndSSHProcess records that a process serves no sessions any more.
func (tx *Tx) EndSSHProcess(id string, at time.Time) error {
	_, err := tx.db.Exec("UPDATE ssh_processes SET seen_at = ?, ended_at = ? WHERE id = ?", micros(at), micros(at), id)
	if err != nil {
		return fmt.Errorf("recording the end of the process: %w", err)
	}
	return nil
}

// LoseSSHProcess records that a process was killed, and ends its open sessions at the time at which
// they were last seen. If the end of the process is recorded already, it changes nothing.
func (tx *Tx) LoseSSHProcess(id string) error {
	for _, query := range []string{
		`DELETE FROM ssh_document_claims WHERE session IN (
			SELECT public_id FROM ssh_sessions WHERE process = ? AND ended_at IS NULL)`,
		`UPDATE ssh_sessions SET ended_at = seen_at, end_reason = 'the server process was killed'
			WHERE process = ? AND ended_at IS NULL`,
		"UPDATE ssh_processes SET ended_at = seen_at WHERE id = ? AND ended_at IS NULL",
	} {
		if _, err := tx.db.Exec(query, id); err != nil {
			return fmt.Errorf("recording that the process was killed: %w", err)
		}
	}
	return nil
}

// SSHProcesses returns the processes that serve sessions at the time now, oldest first.
func (s *Store) SSHProcesses(ctx context.Context, now time.Time) ([]SSHProcess, error) {
	rows, err := s.db.Reader.QueryContext(ctx, `SELECT id, host, address, host_key, identity, began_at, seen_at
		FROM ssh_processes
		WHERE ended_at IS NULL AND seen_at > ? ORDER BY began_at, id`, micros(now.Add(-sshSessionLost)))
	return database.Collect(rows, err, "the SSH processes", func(row database.Row) (p SSHProcess, err error) {
		var began, seen int64
		err = row.Scan(&p.ID, &p.Host, &p.Address, &p.HostKey, &p.Identity, &began, &seen)
		p.BeganAt, p.SeenAt = fromMicros(began), fromMicros(seen)
		return p, err
	})
}
