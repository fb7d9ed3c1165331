package store

import (
	"context"
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

const busyTimeout = 5 * time.Second

func openSQLite(ctx context.Context, path string, opts Options) (*Store, error) {
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
	s := newStore(ofSQLite)
	writer, err := openKeeping(writerName(absolute, opts))
	if err != nil {
		return nil, fmt.Errorf("opening the database %s: %w", path, err)
	}
	s.writer = newPool(writer, ofSQLite, 1)
	if err := migrate(ctx, s.writer); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, advised(err)), s.writer.Close())
	}
	cores := runtime.GOMAXPROCS(0)
	for _, of := range [...]struct {
		pool  *pool
		conns int
	}{
		{&s.reader, 2 * cores}, {&s.lookup, cores},
		// One processor is left to what is answered at once.
		{&s.scans, max(1, cores-1)},
	} {
		db, err := openKeeping(readerName(absolute))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the database %s: %w", path, err), s.Close())
		}
		*of.pool = newPool(db, ofSQLite, of.conns)
	}
	return s, nil
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
