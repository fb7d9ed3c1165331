// Package store keeps the service's records in one SQLite file.
//
// There is one writer connection and pools of readers: SQLite lets one
// transaction write at a time, and taking turns in this process is cheaper than
// being told that the file is busy. Readers see a snapshot and never wait for
// the writer (write-ahead log). Looking up credentials and looking through whole
// ledgers have pools of their own, so that no organization's searches keep the
// others from being answered.
//
// Money is integer minor units, times are microseconds since 1970 in UTC, days
// are counted from 1900-01-01.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the database driver
)

// ErrNotFound is returned for a record that does not exist in the organization.
var ErrNotFound = errors.New("no such record")

// Options are what can be chosen of a store.
type Options struct {
	// Ephemeral is for data that can be generated again: nothing waits for the
	// disk, so a power cut can lose or damage the file.
	Ephemeral bool
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	writer   *sql.DB
	reader   *sql.DB
	lookup   *sql.DB // credentials and readiness
	scans    *sql.DB // keywords that take looking through a ledger
	totals   totals
	searches turns
	queued   chan struct{}
}

// Queued is told when a transaction of this process that queued deliveries has
// been committed. Deliveries queued by other processes are found by looking.
func (s *Store) Queued() <-chan struct{} { return s.queued }

const busyTimeout = 5 * time.Second

// Open opens the file at path, makes it (readable by its owner only) when there
// is none, and brings its schema up to date. It refuses a file whose schema is
// newer than this program, one with a log beside it that is not its own, and files
// that belong to another user or that others can read.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding the database %s: %w", path, err)
	}
	// SQLite gives its log files the mode of the database, so that one decides.
	file, err := os.OpenFile(absolute, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", advised(err))
	}
	if err := errors.Join(checkFiles(file, absolute), file.Close()); err != nil {
		return nil, fmt.Errorf("opening the database %s: %w", path, err)
	}
	s := &Store{searches: turns{taken: map[OrgKey]chan struct{}{}}, queued: make(chan struct{}, 1)}
	if s.writer, err = sql.Open("sqlite", writerName(absolute, opts)); err != nil {
		return nil, fmt.Errorf("opening the database %s: %w", path, err)
	}
	s.writer.SetMaxOpenConns(1)
	s.writer.SetMaxIdleConns(1)
	if err := migrate(ctx, s.writer); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, advised(err)), s.writer.Close())
	}
	cores := runtime.GOMAXPROCS(0)
	for _, pool := range [...]struct {
		db    **sql.DB
		conns int
	}{
		{&s.reader, 2 * cores}, {&s.lookup, cores},
		// One processor is left to what is answered at once.
		{&s.scans, max(1, cores-1)},
	} {
		db, err := sql.Open("sqlite", readerName(absolute))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, err), s.Close())
		}
		db.SetMaxOpenConns(pool.conns)
		db.SetMaxIdleConns(pool.conns)
		*pool.db = db
	}
	return s, nil
}

// Close ends all connections. Calls still running fail.
func (s *Store) Close() error {
	var failed error
	// The writer last: the last connection to close folds the log into the file.
	for _, db := range [...]*sql.DB{s.scans, s.lookup, s.reader, s.writer} {
		if db != nil {
			failed = errors.Join(failed, db.Close())
		}
	}
	return failed
}

// Ready reports whether the database answers.
func (s *Store) Ready(ctx context.Context) error {
	var one int
	if err := s.lookup.QueryRowContext(ctx, "SELECT 1 FROM organizations UNION ALL SELECT 1 LIMIT 1").Scan(&one); err != nil {
		return fmt.Errorf("reading the database: %w", advised(err))
	}
	return nil
}

func writerName(path string, opts Options) string {
	// What was answered must hold: a revoked token stays revoked through a power cut.
	synchronous := "FULL"
	if opts.Ephemeral {
		synchronous = "OFF"
	}
	return dataSource(path, "immediate",
		"journal_mode(WAL)",
		"synchronous("+synchronous+")",
		"foreign_keys(1)",
		"cache_size(-65536)",
		// A longer log is folded in less often: it takes the tail off commit times.
		"wal_autocheckpoint(4000)",
		"journal_size_limit(67108864)",
	)
}

func readerName(path string) string {
	return dataSource(path, "deferred", "query_only(1)", "cache_size(-16384)")
}

func dataSource(path, txlock string, pragmas ...string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/… on Windows
	}
	query := url.Values{
		"_txlock": {txlock},
		"_pragma": append(pragmas, "busy_timeout("+strconv.FormatInt(busyTimeout.Milliseconds(), 10)+")", "temp_store(MEMORY)"),
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}).String()
}
