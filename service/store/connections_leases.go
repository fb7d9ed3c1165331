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
// process holds the connection, or if the connection was removed. After a crash the lease ends by
// itself.
func (tx *Tx) ClaimReading(key ConnectionKey, now, leaseEnds time.Time) (lease ReadingLease, claimed bool, err error) {
	// A lease that ends later than any lease can was taken while a clock was ahead.
	longest := now.Add(leaseEnds.Sub(now) + maxClockSkew)
	err = tx.db.QueryRow(`UPDATE connections SET lease_number = lease_number + 1, lease_until = ?, last_try = ?
		WHERE id = ? AND state <> 'removed' AND (lease_until <= ? OR lease_until > ?) RETURNING lease_number`,
		micros(leaseEnds), micros(now), key, micros(now), micros(longest)).Scan(&lease.Number)
	if database.IsNotFound(err) {
		return ReadingLease{}, false, nil
	}
	if err != nil {
		return ReadingLease{}, false, fmt.Errorf("claiming the connection: %w", err)
	}
	lease.Connection = key
	return lease, true, nil
}

// LockReading reports whether lease is still the connection's newest lease, and keeps it so until
// the transaction ends.
func (tx *Tx) LockReading(lease ReadingLease) (held bool, err error) {
	var number int64
	err = tx.db.QueryRow("SELECT lease_number FROM connections WHERE id = ?"+tx.db.Pick("", " FOR NO KEY UPDATE"),
		lease.Connection).Scan(&number)
	if err != nil {
		return false, notFound(err, "the lease of the connection")
	}
	return number == lease.Number, nil
}

// FinishReading records the outcome of a reading and ends its lease: the fields State, LastSuccess,
// NextTry, WaitUntil, Failures, Problem, Residual, Notices, ReadingHash and History of c. It
// returns false and changes nothing if the lease was taken over by another reading.
func (tx *Tx) FinishReading(lease ReadingLease, c Connection) (recorded bool, err error) {
	var first int64
	if !c.History.First.IsZero() {
		first = dayOf(c.History.First)
	}
	err = tx.execOne(`UPDATE connections SET state = ?, last_success = ?, next_try = ?, wait_until = ?, failures = ?,
			problem = ?, residual = ?, notices = ?, reading_hash = ?, history_day = ?, history_empty = ?, history_whole = ?,
			lease_until = 0
		WHERE id = ? AND lease_number = ? AND state <> 'removed'`,
		string(c.State), microsOrNull(c.LastSuccess), microsOrNull(c.NextTry), microsOrNull(c.WaitUntil), c.Failures,
		c.Problem, c.Residual, strings.Join(c.Notices, "\n"), c.ReadingHash, first, c.History.Empty, bit(c.History.Whole),
		lease.Connection, lease.Number)
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

// ReserveRequest counts a request to a provider before it is sent, so that a crash counts too many
// requests, never too few. It counts nothing and returns false if limit requests were counted in
// the last 24 hours.
func (tx *Tx) ReserveRequest(c Connection, now time.Time, limit int) (reserved bool, err error) {
	_, err = tx.db.Exec("DELETE FROM connection_requests WHERE connection_id = ? AND (sent_at <= ? OR sent_at > ?)",
		c.Key, micros(now.Add(-requestWindow)), micros(now.Add(requestWindow)))
	if err != nil {
		return false, fmt.Errorf("forgetting old requests: %w", err)
	}
	var n int
	query := "SELECT count(*) FROM connection_requests WHERE connection_id = ?"
	if err := tx.db.QueryRow(query, c.Key).Scan(&n); err != nil {
		return false, fmt.Errorf("counting the requests of the last day: %w", err)
	}
	if n >= limit {
		return false, nil
	}
	_, err = tx.db.Exec("INSERT INTO connection_requests (org_id, connection_id, sent_at) VALUES (?, ?, ?)",
		c.Org, c.Key, micros(now))
	if err != nil {
		return false, fmt.Errorf("counting a request: %w", err)
	}
	return true, nil
}

// RequestsSent returns the times of the requests of the last 24 hours that were counted for a
// connection, oldest first.
func (s *Snapshot) RequestsSent(key ConnectionKey, now time.Time) (times []time.Time, err error) {
	rows, err := s.db.Query(`SELECT sent_at FROM connection_requests WHERE connection_id = ? AND sent_at > ?
		ORDER BY sent_at`, key, micros(now.Add(-requestWindow)))
	return database.Collect(rows, err, "the requests of the last day", func(row database.Row) (time.Time, error) {
		var at int64
		err := row.Scan(&at)
		return fromMicros(at), err
	})
}
