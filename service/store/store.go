// Package store keeps the service's records in a database: one SQLite file, or a
// PostgreSQL database that any number of processes share.
//
// Each kind of record has a file: organizations.go, tokens.go, accounts.go, invoices.go,
// payments.go, events.go, endpoints.go, deliveries.go and so on. The ledger's transactions
// have several: ledger_*.go. Tables are made by migrations/; locks.go says which locks
// make concurrent writes safe on PostgreSQL. How a database is opened and how transactions
// run on it is package database; dbcopy copies organizations between databases.
//
// Money is integer minor units, times are microseconds since 1970 in UTC, days are counted
// from 1900-01-01.
package store

import (
	"context"
	"errors"
	"fmt"

	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

var (
	// ErrNotFound is returned for a record that the organization does not have.
	ErrNotFound = errors.New("no such record")
	// ErrBusy is database.ErrBusy: nothing was written, and the caller may try again.
	ErrBusy = database.ErrBusy
)

// Options are the options of Open.
type Options = database.Options

// Store reads and writes the records of an open database. It is safe for concurrent use.
type Store struct {
	db        *database.DB
	summaries summaryCache
	history   ledgerHistory
	searching orgMutex
	writing   orgMutex // used by WriteOf on PostgreSQL only
}

// Open opens a database, as database.Open does, with the tables of this package.
func Open(ctx context.Context, name string, opts Options) (*Store, error) {
	db, err := database.Open(ctx, name, Schema(), opts)
	if err != nil {
		return nil, err
	}
	return New(db), nil
}

// New returns a store for a database that was opened with Schema. Closing the store closes the
// database.
func New(db *database.DB) *Store {
	return &Store{
		db:        db,
		history:   ledgerHistory{minTracked: minTrackedRows, batchHits: batchHits},
		searching: newOrgMutex(),
		writing:   newOrgMutex(),
	}
}

// Close closes the database. Calls that are still running fail.
func (s *Store) Close() error { return s.db.Close() }

// Shared reports whether processes on several machines may use this database, as on PostgreSQL.
func (s *Store) Shared() bool { return s.db.Dialect == database.Postgres }

// Readers returns how many calls of Read can run at a time; further calls wait.
func (s *Store) Readers() int { return s.db.Reader.Size() }

// Backup copies the database to a new file, as database.DB.Backup does.
func (s *Store) Backup(ctx context.Context, path string) (size int64, err error) {
	return s.db.Backup(ctx, path)
}

// Queued receives a value after deliveries were queued: by this process on SQLite, by any
// process on PostgreSQL. Notifications can get lost, so the receiver must also poll.
func (s *Store) Queued() <-chan struct{} { return s.db.Notifications(s.forgetSummaries) }

// Ready returns an error if the database does not answer.
func (s *Store) Ready(ctx context.Context) error {
	var one int
	query := "SELECT 1 FROM organizations UNION ALL SELECT 1 LIMIT 1"
	if err := s.db.Lookup.QueryRowContext(ctx, query).Scan(&one); err != nil {
		return fmt.Errorf("reading the database: %w", database.Advise(err))
	}
	return nil
}

// Tx is one write transaction. It is not safe for concurrent use, and must not be used after the
// function that received it has returned.
type Tx struct {
	db     *database.Tx
	locked map[any]bool // what lock and lockEndpoint have locked, by OrgKey, EndpointKey or an endpoint's public id
	folder *ledger.Folder
}

// Write runs fn in one transaction, as database.DB.Write does. On PostgreSQL fn may be called
// several times, and transactions that write in the same organization wait for each other.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	return s.db.Write(ctx, func(db *database.Tx) error {
		return fn(&Tx{db: db, locked: map[any]bool{}, folder: ledger.NewFolder()})
	})
}

// WriteOf is Write for a transaction of one organization. On PostgreSQL this process runs one
// such transaction at a time for each organization. Further ones would only wait for the
// organization's row lock, on connections that other organizations need.
func (s *Store) WriteOf(ctx context.Context, org OrgKey, fn func(*Tx) error) error {
	if s.db.Dialect == database.Postgres {
		waiting, cancel := context.WithTimeout(ctx, database.LockTimeout)
		defer cancel()
		unlock, err := s.writing.lock(waiting, org)
		if err != nil {
			return err
		}
		defer unlock()
	}
	return s.Write(ctx, fn)
}

// execOne runs a statement that has to change exactly one row, and returns ErrNotFound if
// it did not.
func (tx *Tx) execOne(query string, args ...any) error {
	result, err := tx.db.Exec(query, args...)
	if database.IsNotFound(err) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if n != 1 {
		return ErrNotFound
	}
	return nil
}

// Snapshot is one read transaction: everything it reads is of the same moment. It is not safe
// for concurrent use, and must not be used after the function that received it has returned.
type Snapshot struct {
	db        *database.Snapshot
	summaries *summaryCache
	history   *ledgerHistory
}

// Read runs fn on a snapshot. It does not wait for write transactions.
func (s *Store) Read(ctx context.Context, fn func(*Snapshot) error) error {
	return s.readFrom(ctx, s.db.Reader, fn)
}

func (s *Store) readFrom(ctx context.Context, from database.Pool, fn func(*Snapshot) error) error {
	return s.db.Read(ctx, from, func(db *database.Snapshot) error {
		return fn(&Snapshot{db: db, summaries: &s.summaries, history: &s.history})
	})
}
