package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tarmac/service/store/database"
)

// ReadingLease is the right of one process to read a connection until a time. Number is the number
// of readings of the connection that were begun, including this one.
type ReadingLease struct {
	Connection ConnectionKey
	Number     int64
}

// ClaimReading claims a connection for a reading until leaseEnds. It returns false if another
// process holds the connection, or if its accounts are not chosen. Unless due is zero, it also
// returns false if the next reading is not planned for that time any more: another process has made
// the reading. After a crash the reading is due again when the lease ends. The holder is a name of
// this process for others that wait.
func (tx *Tx) ClaimReading(key ConnectionKey, now, leaseEnds, due time.Time, holder string) (
	lease ReadingLease, claimed bool, err error,
) {
	lease.Connection = key
	// A lease that ends later than any lease can was taken while a clock was ahead.
	longest := leaseEnds.Add(maxClockSkew)
	err = tx.db.QueryRow(`UPDATE connections SET lease_number = lease_number + 1, lease_until = ?, next_try = ?,
			last_try = ?, lease_holder = ?
		WHERE id = ? AND state NOT IN ('claiming', 'choosing', 'removed') AND (lease_until <= ? OR lease_until > ?)
			AND (CAST(? AS BIGINT) = 0 OR next_try = ?) RETURNING lease_number`,
		micros(leaseEnds), micros(leaseEnds), micros(now), holder, key, micros(now), micros(longest),
		microsUnlessZero(due), microsUnlessZero(due)).Scan(&lease.Number)
	if database.IsNotFound(err) {
		return ReadingLease{}, false, nil
	}
	if err != nil {
		return ReadingLease{}, false, fmt.Errorf("claiming the connection: %w", err)
	}
	return lease, true, nil
}

// ReadingUntil returns the time until which a process has claimed a connection, and the name of
// that process. The time is zero if no process has.
func (s *Snapshot) ReadingUntil(key ConnectionKey, now time.Time) (until time.Time, holder string, err error) {
	var at int64
	err = s.db.QueryRow("SELECT lease_until, lease_holder FROM connections WHERE id = ?", key).Scan(&at, &holder)
	if err != nil {
		return time.Time{}, "", notFound(err, "the lease of the connection")
	}
	if until = fromMicros(at); !until.After(now) {
		return time.Time{}, "", nil
	}
	return until, holder, nil
}

// EndReadingOf ends the reading of a process that has ended itself. Another reading can begin at
// once. It changes nothing if the process does not hold the connection any more.
func (tx *Tx) EndReadingOf(key ConnectionKey, holder string) error {
	_, err := tx.db.Exec(`UPDATE connections SET lease_number = lease_number + 1, lease_until = 0
		WHERE id = ? AND lease_holder = ?`, key, holder)
	if err != nil {
		return fmt.Errorf("ending the reading of a process that has ended: %w", err)
	}
	return nil
}

// EndReading ends a reading of the connection that is in progress, which cannot record its outcome
// any more. Another reading can begin at once.
func (tx *Tx) EndReading(key ConnectionKey) error {
	return tx.execOne("UPDATE connections SET lease_number = lease_number + 1, lease_until = 0 WHERE id = ?", key)
}

// FinishReading records the outcome of a reading and ends its lease: the fields State, LastSuccess,
// NextTry, WaitUntil, Failures, Problem, Residual, Notices, SignIn and History of c. It
// returns false and changes nothing if the lease was taken over by another reading.
func (tx *Tx) FinishReading(lease ReadingLease, c Connection) (recorded bool, err error) {
	if err := tx.connectionChanges(lease.Connection); err != nil {
		return false, err
	}
	err = tx.execOne(`UPDATE connections SET state = ?, last_success = ?, next_try = ?, wait_until = ?, failures = ?,
			problem = ?, residual = ?, notices = ?, sign_in = ?, history_day = ?, history_empty = ?, history_whole = ?,
			history_lacks = ?,
			lease_until = 0
		WHERE id = ? AND lease_number = ? AND state <> 'removed'`,
		string(c.State), microsOrNull(c.LastSuccess), microsOrNull(c.NextTry), microsOrNull(c.WaitUntil), c.Failures,
		c.Problem, c.Residual, strings.Join(c.Notices, "\n"), strings.Join(c.SignIn, "\n"), c.History.day(), c.History.Empty,
		bit(c.History.Whole), c.History.Lacks, lease.Connection, lease.Number)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("recording the outcome of a reading: %w", err)
	}
	return true, nil
}

// requestWindow is the time for which requests count against a provider's limit.
const requestWindow = 24 * time.Hour

// CountRequest counts a request to a provider. It is called before the request is sent, so that a
// crash counts too many requests, never too few.
func (tx *Tx) CountRequest(c Connection, now time.Time) error {
	_, err := tx.db.Exec("DELETE FROM connection_requests WHERE connection_id = ? AND (sent_at <= ? OR sent_at > ?)",
		c.Key, micros(now.Add(-requestWindow)), micros(now.Add(requestWindow)))
	if err != nil {
		return fmt.Errorf("forgetting old requests: %w", err)
	}
	_, err = tx.db.Exec("INSERT INTO connection_requests (org_id, connection_id, sent_at) VALUES (?, ?, ?)",
		c.Org, c.Key, micros(now))
	if err != nil {
		return fmt.Errorf("counting a request: %w", err)
	}
	return nil
}

// RequestsSent returns the times of the requests of the last 24 hours that were counted for a
// connection, the oldest first. On PostgreSQL, others wait until the transaction ends.
func (tx *Tx) RequestsSent(key ConnectionKey, now time.Time) ([]time.Time, error) {
	if tx.db.Dialect == database.Postgres {
		if err := tx.lockRow(key, "SELECT id FROM connections WHERE id = ? FOR NO KEY UPDATE"); err != nil {
			return nil, fmt.Errorf("waiting for the connection: %w", err)
		}
	}
	return requestsSent(tx.db, key, now)
}

// RequestsSent returns the times of the requests of the last 24 hours that were counted for a
// connection, the oldest first.
func (s *Snapshot) RequestsSent(key ConnectionKey, now time.Time) ([]time.Time, error) {
	return requestsSent(s.db, key, now)
}

func requestsSent(r database.Queryer, key ConnectionKey, now time.Time) (times []time.Time, err error) {
	rows, err := r.Query(`SELECT sent_at FROM connection_requests WHERE connection_id = ? AND sent_at > ?
		ORDER BY sent_at`, key, micros(now.Add(-requestWindow)))
	return database.Collect(rows, err, "the requests of the last day", func(row database.Row) (time.Time, error) {
		var at int64
		err := row.Scan(&at)
		return fromMicros(at), err
	})
}
