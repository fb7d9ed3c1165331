package store

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/store/database"
)

// ConnectionKey is the internal key of a connection. It never leaves the service.
type ConnectionKey int64

// ConnectionState says what can be done with a connection.
type ConnectionState string

// The states of connections.
const (
	// ConnectionClaiming is the state while a token that can be used once is being exchanged. After
	// a crash in this state the token may be used up.
	ConnectionClaiming ConnectionState = "claiming"
	ConnectionChoosing ConnectionState = "choosing" // nobody has chosen the accounts yet
	ConnectionReady    ConnectionState = "ready"
	ConnectionFailing  ConnectionState = "failing" // the last reading failed
	ConnectionAsking   ConnectionState = "asking"  // a reading waits until a person confirms removed lines
	ConnectionDenied   ConnectionState = "denied"  // the provider does not accept the credential any more
	ConnectionRemoved  ConnectionState = "removed" // its lines may still be in the books
)

// Connection is an organization's connection to a provider. Times are zero if there is none.
type Connection struct {
	Key       ConnectionKey
	Org       OrgKey
	ID        string // public id, "con_…"
	Provider  string // name of the providers.Kind
	Label     string // name that a person uses
	Company   string // legal name of the company at the provider; "" if unknown
	State     ConnectionState
	CreatedAt time.Time

	LastSuccess time.Time
	LastTry     time.Time
	NextTry     time.Time
	WaitUntil   time.Time // the provider must not be asked before this time, even if a person wants it
	Failures    int       // failed readings since the last success
	Problem     string    // why the last reading failed, as a sentence; "" if it did not
	Residual    string    // which balances do not add up, as sentences; "" if all do
	Notices     []string  // the provider's remarks
	SignIn      []string  // banks at which a person has to sign in again

	History ConnectionHistory
}

// ConnectionHistory says how much of the past was read.
type ConnectionHistory struct {
	First civil.Date // first day that was read; zero if nothing was
	Empty int        // number of windows without lines that were read last
	Whole bool       // true if no earlier days are to be read
	// Lacks is the largest number of accounts that could not be read in a window. When fewer are
	// missing, the windows are read again.
	Lacks int
}

// day returns the first day that was read as the database stores it; 0 if nothing was read.
func (h ConnectionHistory) day() int64 {
	if h.First.IsZero() {
		return 0
	}
	return dayOf(h.First)
}

// InsertConnection adds a connection. It stores neither a credential nor an outcome.
func (tx *Tx) InsertConnection(c Connection) (key ConnectionKey, err error) {
	tx.created(c.ID)
	tx.booksChanged(c.Org)
	if err := tx.lock(c.Org); err != nil {
		return 0, err
	}
	err = tx.db.QueryRow(`INSERT INTO connections (org_id, public_id, provider, label, state, created_at)
		VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		c.Org, c.ID, c.Provider, c.Label, string(c.State), micros(c.CreatedAt)).Scan(&key)
	if err != nil {
		return 0, fmt.Errorf("adding the connection to %s: %w", c.Provider, err)
	}
	return key, nil
}

// DescribeConnection writes a connection's Label, Company, State, NextTry, WaitUntil, Failures,
// Problem and History.
func (tx *Tx) DescribeConnection(c Connection) error {
	if err := tx.connectionChanges(c.Key); err != nil {
		return err
	}
	return tx.execOne(`UPDATE connections SET label = ?, company = ?, state = ?, next_try = ?, wait_until = ?,
			failures = ?, problem = ?, history_day = ?, history_empty = ?, history_whole = ?, history_lacks = ? WHERE id = ?`,
		c.Label, c.Company, string(c.State), microsOrNull(c.NextTry), microsOrNull(c.WaitUntil), c.Failures, c.Problem,
		c.History.day(), c.History.Empty, bit(c.History.Whole), c.History.Lacks, c.Key)
}

// DeleteLostClaims deletes an organization's connections to a provider whose token was sent before
// a time, if no answer was stored.
func (tx *Tx) DeleteLostClaims(org OrgKey, provider string, sent time.Time) error {
	tx.booksChanged(org)
	_, err := tx.db.Exec(`DELETE FROM connections
		WHERE org_id = ? AND provider = ? AND state = 'claiming' AND created_at < ?`, org, provider, micros(sent))
	if err != nil {
		return fmt.Errorf("deleting connections to %s whose token was lost: %w", provider, err)
	}
	return nil
}

// SetConnectionSecret replaces a connection's sealed credential. The live balance can then be asked
// for at once.
func (tx *Tx) SetConnectionSecret(key ConnectionKey, sealed []byte) error {
	return tx.execOne(`UPDATE connections SET secret = ?, live_problem = '', live_retry = 0, live_limited = 0
		WHERE id = ?`, sealed, key)
}

// RemoveConnection deletes a connection's credential and ends its readings. A reading in progress
// cannot record its outcome any more. The connection and its accounts stay, so that a later
// connection to the same accounts continues it.
func (tx *Tx) RemoveConnection(key ConnectionKey) error {
	if err := tx.connectionChanges(key); err != nil {
		return err
	}
	return tx.execOne(`UPDATE connections SET secret = NULL, state = 'removed', next_try = NULL, failures = 0,
		problem = '', residual = '', notices = '', sign_in = '', lease_number = lease_number + 1,
		lease_until = 0 WHERE id = ?`, key)
}

// deleteConnectionSecrets deletes the credentials of all connections and ends their readings. The
// problem tells the user why. It returns how many credentials it deleted.
func (tx *Tx) deleteConnectionSecrets(problem string) (deleted int64, err error) {
	rows, err := tx.db.Query(`UPDATE connections SET secret = NULL, state = 'denied', next_try = NULL, problem = ?,
		lease_number = lease_number + 1, lease_until = 0 WHERE secret IS NOT NULL RETURNING org_id`, problem)
	err = database.Each(rows, err, "the tokens of providers, which are deleted", func(row database.Row) error {
		var org OrgKey
		err := row.Scan(&org)
		tx.booksChanged(org)
		deleted++
		return err
	})
	return deleted, err
}

// DeleteConnection deletes a connection and everything that is stored about it, but not its lines
// in the books.
func (tx *Tx) DeleteConnection(key ConnectionKey) error {
	if err := tx.connectionChanges(key); err != nil {
		return err
	}
	for _, table := range [...]string{"connection_requests", "connection_invoices", "connection_accounts"} {
		if _, err := tx.db.Exec("DELETE FROM "+table+" WHERE connection_id = ?", key); err != nil {
			return fmt.Errorf("deleting the %s: %w", table, err)
		}
	}
	return tx.execOne("DELETE FROM connections WHERE id = ?", key)
}

// ConnectionSecret returns a connection's sealed credential. It is nil if there is none.
func (s *Snapshot) ConnectionSecret(key ConnectionKey) (sealed []byte, err error) {
	err = s.db.QueryRow("SELECT secret FROM connections WHERE id = ?", key).Scan(&sealed)
	if err != nil {
		return nil, notFound(err, "the credential of the connection")
	}
	return sealed, nil
}

// Connection returns a connection, or ErrNotFound.
func (s *Snapshot) Connection(key ConnectionKey) (Connection, error) {
	c, err := scanConnection(s.db.QueryRow("SELECT "+connectionColumns+" FROM connections WHERE id = ?", key))
	if err != nil {
		return Connection{}, notFound(err, "the connection")
	}
	return c, nil
}

// ConnectionOf returns the organization's connection with a public id, or ErrNotFound.
func (tx *Tx) ConnectionOf(org OrgKey, id string) (Connection, error) {
	return readConnectionOf(tx.db, org, id)
}

// ConnectionOf returns the organization's connection with a public id as the method of Tx does.
func (s *Snapshot) ConnectionOf(org OrgKey, id string) (Connection, error) {
	return readConnectionOf(s.db, org, id)
}

func readConnectionOf(r database.Queryer, org OrgKey, id string) (Connection, error) {
	c, err := scanConnection(r.QueryRow("SELECT "+connectionColumns+
		" FROM connections WHERE org_id = ? AND public_id = ?", org, id))
	if err != nil {
		return Connection{}, notFound(err, "the connection "+id)
	}
	return c, nil
}

// Connections returns the organization's connections, oldest first. It includes removed ones.
func (s *Snapshot) Connections(org OrgKey) ([]Connection, error) {
	rows, err := s.db.Query("SELECT "+connectionColumns+" FROM connections WHERE org_id = ? ORDER BY id", org)
	return database.Collect(rows, err, "the connections", scanConnection)
}

// AllConnections returns the connections of all organizations except removed ones, oldest first.
func (s *Snapshot) AllConnections() ([]Connection, error) {
	rows, err := s.db.Query("SELECT " + connectionColumns + " FROM connections WHERE state <> 'removed' ORDER BY id")
	return database.Collect(rows, err, "the connections", scanConnection)
}

// NextReading returns the time at which the first reading of a connection is due. It is zero if no
// reading is planned.
func (s *Snapshot) NextReading() (time.Time, error) {
	var next sql.NullInt64
	err := s.db.QueryRow("SELECT min(next_try) FROM connections WHERE next_try IS NOT NULL").Scan(&next)
	if err != nil {
		return time.Time{}, fmt.Errorf("reading when a connection is due: %w", err)
	}
	return timeOrZero(next), nil
}

// DueConnections returns the connections whose reading is due at now, the longest overdue first. A
// time later than latest was planned while a clock was ahead, so such readings are due too.
func (s *Snapshot) DueConnections(now, latest time.Time) ([]Connection, error) {
	rows, err := s.db.Query("SELECT "+connectionColumns+` FROM connections
		WHERE next_try <= ? OR next_try > ? ORDER BY next_try, id`, micros(now), micros(latest))
	return database.Collect(rows, err, "the due connections", scanConnection)
}

const connectionColumns = `id, org_id, public_id, provider, label, company, state, created_at, last_success, last_try,
	next_try, wait_until, failures, problem, residual, notices, history_day, history_empty, history_whole,
	history_lacks, sign_in`

func scanConnection(row database.Row) (c Connection, err error) {
	var (
		created                int64
		success, tried, next   sql.NullInt64
		wait                   sql.NullInt64
		notices, signIn        string
		historyDay, wholeAsBit int64
	)
	err = row.Scan(&c.Key, &c.Org, &c.ID, &c.Provider, &c.Label, &c.Company, &c.State, &created, &success, &tried, &next,
		&wait, &c.Failures, &c.Problem, &c.Residual, &notices, &historyDay, &c.History.Empty, &wholeAsBit,
		&c.History.Lacks, &signIn)
	c.CreatedAt, c.LastSuccess, c.LastTry = fromMicros(created), timeOrZero(success), timeOrZero(tried)
	c.NextTry, c.WaitUntil = timeOrZero(next), timeOrZero(wait)
	if notices != "" {
		c.Notices = strings.Split(notices, "\n")
	}
	if signIn != "" {
		c.SignIn = strings.Split(signIn, "\n")
	}
	if historyDay != 0 {
		c.History.First = dateOf(historyDay)
	}
	c.History.Whole = wholeAsBit != 0
	return c, err
}

// microsOrNull returns a time as the database stores it; NULL for the zero time.
func microsOrNull(t time.Time) sql.NullInt64 {
	if t.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: true}
}

func timeOrZero(us sql.NullInt64) time.Time {
	if !us.Valid {
		return time.Time{}
	}
	return fromMicros(us.Int64)
}
