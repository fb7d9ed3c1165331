package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tarmac/service/store/database"
)

// LiveConnection is what answers for a live balance need to know about a connection.
type LiveConnection struct {
	Key       ConnectionKey
	ID        string
	Provider  string
	State     ConnectionState
	AskedTill time.Time // a process asks the provider until this time; zero if none does
	RetryAt   time.Time // the provider must not be asked before this time; zero if it may be
	Limited   bool      // true if the provider itself gave RetryAt
	Problem   string    // why the last live reading failed; "" if it did not
}

// LiveConnections returns the organization's connections to providers with the given names, except
// removed ones and those whose accounts nobody has chosen.
func (s *Snapshot) LiveConnections(org OrgKey, provider string) ([]LiveConnection, error) {
	rows, err := s.db.Query(`SELECT id, public_id, provider, state, live_until, live_retry, live_limited, live_problem
		FROM connections WHERE org_id = ? AND provider = ? AND state NOT IN ('claiming', 'choosing', 'removed')
		ORDER BY id`, org, provider)
	return database.Collect(rows, err, "the live connections", func(row database.Row) (c LiveConnection, err error) {
		var until, retry, limited int64
		err = row.Scan(&c.Key, &c.ID, &c.Provider, &c.State, &until, &retry, &limited, &c.Problem)
		c.AskedTill, c.RetryAt, c.Limited = timeUnlessZero(until), timeUnlessZero(retry), limited != 0
		return c, err
	})
}

// ClaimLiveReading makes this process the only one that asks a provider for live balances until the
// time until. It returns false if another process does that already, or if the provider must not be
// asked yet.
func (tx *Tx) ClaimLiveReading(key ConnectionKey, now, until time.Time) (claimed bool, err error) {
	err = tx.execOne(`UPDATE connections SET live_until = ?
		WHERE id = ? AND state <> 'removed' AND live_until <= ? AND live_retry <= ?`,
		micros(until), key, micros(now), micros(now))
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("claiming a live reading: %w", err)
	}
	return true, nil
}

// FinishLiveReading ends a live reading. After a failure, problem says why, and retryAt is the time
// before which the provider must not be asked again; limited is true if the provider gave it.
func (tx *Tx) FinishLiveReading(key ConnectionKey, problem string, retryAt time.Time, limited bool) error {
	return tx.execOne(`UPDATE connections SET live_until = 0, live_problem = ?, live_retry = ?, live_limited = ?
		WHERE id = ?`,
		problem, microsUnlessZero(retryAt), bit(limited), key)
}

func microsUnlessZero(t time.Time) int64 { return microsOrNull(t).Int64 }

func timeUnlessZero(us int64) time.Time {
	return timeOrZero(sql.NullInt64{Int64: us, Valid: us != 0})
}
