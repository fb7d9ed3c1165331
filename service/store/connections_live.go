package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"tarmac/service/bookrules"
	"tarmac/service/store/database"
)

// LiveConnection is a connection to a provider that can be asked for balances at any time, and what
// the last such request has left. Times are zero if there is none.
type LiveConnection struct {
	Connection // without times, remarks and history
	HasToken   bool
	ReadAt     time.Time
	AskedTill  time.Time // a process asks the provider until this time
	RetryAt    time.Time // the provider must not be asked before this time
	Limited    bool      // true if the provider itself gave RetryAt
	Failure    string    // why the last live reading failed; "" if it did not
	Readings   []bookrules.Reading
	RemoteIDs  []string // the provider's id of the account of each reading
}

// LiveConnections returns the organization's connections to the given providers with the accounts
// that are read into the books, each with its last balance. Those whose accounts nobody has chosen
// are left out. A disconnected connection, in state ConnectionRemoved, still has its last balances.
func (s *Snapshot) LiveConnections(org OrgKey, live []string) (all []LiveConnection, err error) {
	if len(live) == 0 {
		return nil, nil
	}
	rows, err := s.db.Query(`SELECT c.id, c.public_id, c.provider, c.label, c.state, c.problem, c.wait_until,
			c.live_read, c.live_until, c.live_retry, c.live_limited, c.live_problem,
			a.remote_id, a.books_number, a.currency, a.current_minor, a.available_minor, a.balance_read,
			CASE WHEN c.secret IS NULL THEN 0 ELSE 1 END
		FROM connections c JOIN connection_accounts a ON a.connection_id = c.id AND a.taken = 1
		WHERE c.org_id = ? AND c.state NOT IN ('claiming', 'choosing') ORDER BY c.id, a.id`, org)
	found, err := database.Collect(rows, err, "the live connections", scanLiveConnection)
	for _, c := range found {
		switch last := len(all) - 1; {
		case !slices.Contains(live, c.Provider):
		case last >= 0 && all[last].Key == c.Key:
			all[last].Readings = append(all[last].Readings, c.Readings...)
			all[last].RemoteIDs = append(all[last].RemoteIDs, c.RemoteIDs...)
		default:
			c.Org = org
			all = append(all, c)
		}
	}
	return all, err
}

// scanLiveConnection returns a connection with one of its accounts.
func scanLiveConnection(row database.Row) (c LiveConnection, err error) {
	var (
		read, until, retry, limited, token  int64
		wait, current, available, balanceAt sql.NullInt64
		r                                   bookrules.Reading
		remoteID                            string
	)
	err = row.Scan(&c.Key, &c.ID, &c.Provider, &c.Label, &c.State, &c.Problem, &wait, &read, &until, &retry, &limited,
		&c.Failure, &remoteID, &r.Number, &r.Currency, &current, &available, &balanceAt, &token)
	c.HasToken = token != 0
	c.WaitUntil, c.ReadAt, c.AskedTill = timeOrZero(wait), timeUnlessZero(read), timeUnlessZero(until)
	c.RetryAt, c.Limited = timeUnlessZero(retry), limited != 0
	r.CurrentMinor, r.AvailableMinor, r.At = current.Int64, available.Int64, timeOrZero(balanceAt)
	c.Readings, c.RemoteIDs = []bookrules.Reading{r}, []string{remoteID}
	return c, err
}

// ClaimLiveReading makes this process the only one that asks a provider for live balances until the
// time until. It returns false if another process does that already, if the balances were read at
// fresh or later, or if the provider must not be asked yet. Times after latest that the provider
// has not given were written while a clock was ahead, and are ignored.
func (tx *Tx) ClaimLiveReading(key ConnectionKey, now, until, fresh, latest time.Time) (claimed bool, err error) {
	at, end := micros(now), micros(latest)
	err = tx.execOne(`UPDATE connections SET live_until = ?
		WHERE id = ? AND state <> 'removed' AND (live_until <= ? OR live_until > ?)
			AND (live_read < ? OR live_read > ?)
			AND (live_retry <= ? OR live_retry > ? AND live_limited = 0)`,
		micros(until), key, at, end, micros(fresh), end, at, end)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("claiming a live reading: %w", err)
	}
	return true, nil
}

// FinishLiveReading records that live balances were read at the given time.
func (tx *Tx) FinishLiveReading(key ConnectionKey, read time.Time) error {
	return tx.execOne(`UPDATE connections SET live_until = 0, live_read = ?, live_problem = '', live_retry = 0,
		live_limited = 0 WHERE id = ?`, micros(read), key)
}

// FailLiveReading records why live balances could not be read, and until when the provider must not
// be asked for them again. limited is true if the provider itself named that time; the connection's
// next reading of transactions then waits for it too.
func (tx *Tx) FailLiveReading(key ConnectionKey, problem string, retryAt time.Time, limited bool) error {
	retry := micros(retryAt)
	err := tx.execOne(`UPDATE connections SET live_until = 0, live_problem = ?, live_retry = ?, live_limited = ?
		WHERE id = ?`, problem, retry, bit(limited), key)
	if err != nil || !limited {
		return err
	}
	_, err = tx.db.Exec("UPDATE connections SET next_try = ? WHERE id = ? AND next_try < ?", retry, key, retry)
	if err != nil {
		return fmt.Errorf("delaying the next reading: %w", err)
	}
	return nil
}

func microsUnlessZero(t time.Time) int64 { return microsOrNull(t).Int64 }

func timeUnlessZero(us int64) time.Time {
	return timeOrZero(sql.NullInt64{Int64: us, Valid: us != 0})
}
