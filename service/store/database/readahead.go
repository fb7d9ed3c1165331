package database

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// ReadAhead describes pages of a SQLite file that a slow query of a snapshot is going to read. The
// query reads one page after the other, so that each page that is not in the system's file cache
// costs a wait for the disk. Reading the same pages through several connections puts them into that
// cache many times faster, on disks that serve concurrent reads.
type ReadAhead struct {
	Delay  time.Duration // how long to wait for the slow query
	Probe  Query         // reads a small part of the pages
	Cached time.Duration // if Probe takes less time, the pages are cached and nothing is read ahead
	Parts  []Query       // read all pages; their results are dropped
}

// Query is SQL with its arguments. Its result is one row with one number.
type Query struct {
	SQL  string
	Args []any
}

// readAheadConns is the number of concurrent reads.
const readAheadConns = 32

// readAhead is the state of a database that ReadAhead needs. Its path is "" on PostgreSQL.
type readAhead struct {
	path string
	busy chan struct{} // holds a value while pages are read ahead
}

// ReadAhead starts to read pages ahead of a query. The caller must call stop when the query has
// ended. Only one query of a database is read ahead at a time. On PostgreSQL, ReadAhead does
// nothing. Failures are ignored, since the query itself reports them.
func (s *Snapshot) ReadAhead(what ReadAhead) (stop func()) {
	if s.ahead.path == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(s.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-ctx.Done():
		case <-time.After(what.Delay):
			s.ahead.read(ctx, what)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (a *readAhead) read(ctx context.Context, what ReadAhead) {
	select {
	case a.busy <- struct{}{}:
		defer func() { <-a.busy }()
	default:
		return
	}
	conns, err := openCached(dsn(a.path, "deferred", "query_only(1)", "cache_size(-256)"))
	if err != nil {
		return
	}
	defer func() { _ = conns.Close() }()
	conns.SetMaxOpenConns(readAheadConns)
	conns.SetMaxIdleConns(readAheadConns)
	begun := time.Now()
	if what.Probe.run(ctx, conns) != nil || time.Since(begun) < what.Cached {
		return
	}
	parts := make(chan Query)
	var readers sync.WaitGroup
	for range readAheadConns {
		readers.Go(func() {
			for part := range parts {
				_ = part.run(ctx, conns)
			}
		})
	}
	for _, part := range what.Parts {
		parts <- part
	}
	close(parts)
	readers.Wait()
}

func (q Query) run(ctx context.Context, db *sql.DB) error {
	var dropped sql.NullInt64
	return db.QueryRowContext(ctx, q.SQL, q.Args...).Scan(&dropped)
}
