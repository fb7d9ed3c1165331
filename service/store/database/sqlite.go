package database

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

	_ "modernc.org/sqlite" // registers the database driver
)

const (
	busyTimeout = 5 * time.Second
	busyPause   = 10 * time.Millisecond // between two attempts that SQLite refuses at once
)

func openSQLite(ctx context.Context, path string, schema Schema, opts Options) (*DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding the database %s: %w", path, err)
	}
	// SQLite gives its write-ahead log the mode of the database file.
	file, err := os.OpenFile(absolute, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", Advise(err))
	}
	if err := errors.Join(checkFiles(file, absolute), file.Close()); err != nil {
		return nil, fmt.Errorf("opening the database %s: %w", path, err)
	}
	db := newDB(SQLite)
	db.ephemeral, db.onCommit, db.ahead.path = opts.Ephemeral, opts.Committed, absolute
	writer, err := openCached(writerDSN(absolute, opts))
	if err != nil {
		return nil, fmt.Errorf("opening the database %s: %w", path, err)
	}
	db.Writer = newPool(writer, SQLite, 1)
	if err := waitToConnect(ctx, writer); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, Advise(err)), db.Writer.Close())
	}
	if err := migrate(ctx, db.Writer, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, Advise(err)), db.Writer.Close())
	}
	cores := runtime.GOMAXPROCS(0)
	for _, p := range [...]struct {
		pool  *Pool
		conns int
	}{
		{&db.Reader, 2 * cores}, {&db.Lookup, cores},
		// Searches leave one core free for fast requests.
		{&db.Scans, max(1, cores-1)},
	} {
		conns, err := openCached(readerDSN(absolute, opts))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, err), db.Close())
		}
		*p.pool = newPool(conns, SQLite, p.conns)
	}
	return db, nil
}

// waitToConnect opens the first connection of a pool. It waits while another process writes to a
// file that has no write-ahead log yet, usually to create its tables. The switch to the log
// upgrades a read lock, and SQLite refuses that at once instead of waiting for busyTimeout.
func waitToConnect(ctx context.Context, pool *sql.DB) error {
	patience := time.After(busyTimeout)
	for {
		err := pool.PingContext(ctx)
		if !isBusy(err) {
			return err
		}
		select {
		case <-patience:
			return err
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(busyPause):
		}
	}
}

func writerDSN(path string, opts Options) string {
	// A confirmed change, such as the revocation of a token, must survive a power failure.
	synchronous := "FULL"
	if opts.Ephemeral {
		synchronous = "OFF"
	}
	cache := 64 << 10 // in kB
	if opts.SmallCache {
		cache = 10 << 10
	}
	return dsn(path, "immediate",
		"journal_mode(WAL)",
		"synchronous("+synchronous+")",
		"foreign_keys(1)",
		fmt.Sprintf("cache_size(-%d)", cache),
		// A longer write-ahead log is copied into the file less often, which shortens the slowest
		// commits.
		"wal_autocheckpoint(4000)",
		"journal_size_limit(67108864)",
	)
}

func readerDSN(path string, opts Options) string {
	cache := 16 << 10 // in kB
	if opts.SmallCache {
		cache = 2 << 10
	}
	return dsn(path, "deferred", "query_only(1)", fmt.Sprintf("cache_size(-%d)", cache))
}

func dsn(path, txlock string, pragmas ...string) string {
	timeout := strconv.FormatInt(busyTimeout.Milliseconds(), 10)
	query := url.Values{
		"_txlock": {txlock},
		"_pragma": append(pragmas, "busy_timeout("+timeout+")", "temp_store(MEMORY)"),
	}
	return fileURL(path, query.Encode())
}

func fileURL(path, query string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // Windows paths such as C:/data need it
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: query}).String()
}
