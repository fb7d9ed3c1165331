// Package store keeps the service's records, in one SQLite file or in a PostgreSQL
// database that any number of processes work on.
//
// With SQLite there is one writer connection and pools of readers: SQLite lets one
// transaction write at a time, and taking turns in this process is cheaper than
// being told that the file is busy. Readers see a snapshot and never wait for
// the writer (write-ahead log). With PostgreSQL transactions that write take turns
// where it matters, in an organization, by the locks that locks.go tells of.
//
// Looking up credentials and looking through whole ledgers have pools of their own,
// so that no organization's searches keep the others from being answered.
//
// Money is integer minor units, times are microseconds since 1970 in UTC, days
// are counted from 1900-01-01.
package store

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotFound is returned for a record that does not exist in the organization.
var ErrNotFound = errors.New("no such record")

// Options are what can be chosen of a store.
type Options struct {
	// Ephemeral is for data that can be generated again: nothing waits for the
	// disk, so a power cut can lose or damage the file. Of SQLite alone.
	Ephemeral bool
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	dialect
	writer   pool
	reader   pool
	lookup   pool // credentials and readiness
	scans    pool // keywords that take looking through a ledger
	totals   totals
	growth   growths
	searches turns
	writes   turns // of PostgreSQL
	queued   chan struct{}
	bell     *bell // of PostgreSQL: tells other processes and is told by them
}

func newStore(d dialect) *Store {
	return &Store{dialect: d, growth: growths{worth: worthFollowing, part: partHits}, searches: newTurns(), writes: newTurns(), queued: make(chan struct{}, 1)}
}

// Queued is told when a transaction that queued deliveries has been committed.
// With SQLite it is one of this process; deliveries queued by other processes are
// found by looking. With PostgreSQL it is one of any process, as a rule: being told
// is quicker than looking and no more certain.
func (s *Store) Queued() <-chan struct{} {
	if s.bell != nil {
		s.bell.hear()
	}
	return s.queued
}

func (s *Store) wake() {
	select {
	case s.queued <- struct{}{}:
	default:
	}
}

// Open opens a database and brings its schema up to date: a PostgreSQL database
// that a URL names, or the SQLite file at a path, which it makes (readable by its
// owner only) when there is none. It refuses a database whose schema is newer than
// this program, a file with a log beside it that is not its own, and files that
// belong to another user or that others can read. No error holds the URL's password.
func Open(ctx context.Context, database string, opts Options) (*Store, error) {
	if IsPostgres(database) {
		return openPostgres(ctx, database)
	}
	return openSQLite(ctx, database, opts)
}

// Close ends all connections. Calls still running fail.
func (s *Store) Close() error {
	if s.bell != nil {
		s.bell.close()
	}
	// The writer last: the last connection to close folds SQLite's log into the file.
	return errors.Join(s.scans.close(), s.lookup.close(), s.reader.close(), s.writer.close())
}

// Readers returns how many snapshots can be read at a time; one more waits.
func (s *Store) Readers() int { return s.reader.Stats().MaxOpenConnections }

// Ready reports whether the database answers.
func (s *Store) Ready(ctx context.Context) error {
	var one int
	if err := s.lookup.QueryRowContext(ctx, "SELECT 1 FROM organizations UNION ALL SELECT 1 LIMIT 1").Scan(&one); err != nil {
		return fmt.Errorf("reading the database: %w", advised(err))
	}
	return nil
}
