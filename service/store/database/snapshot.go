package database

import (
	"context"
	"database/sql"
	"fmt"
)

// Snapshot is a read transaction. All its queries see the database at the same moment. It is not
// safe for concurrent use, and must not be used after the function that received it has returned.
type Snapshot struct {
	Dialect
	ctx   context.Context
	quick context.Context // context for fast queries; see Dialect.quick
	in    queryer
	ahead *readAhead
}

// Context returns the context of the snapshot.
func (s *Snapshot) Context() context.Context { return s.ctx }

// Read calls fn with a snapshot, on a connection of the given pool. It does not wait for write
// transactions.
func (db *DB) Read(ctx context.Context, pool Pool, fn func(*Snapshot) error) error {
	return db.read(ctx, pool, fn, pool.begin)
}

// Query is Read for a function that runs a single query. No transaction is begun for it.
func (db *DB) Query(ctx context.Context, pool Pool, fn func(*Snapshot) error) error {
	return db.read(ctx, pool, fn, func(context.Context) (queryer, func(), error) { return pool.DB, func() {}, nil })
}

func (db *DB) read(
	ctx context.Context, pool Pool, fn func(*Snapshot) error, begin func(context.Context) (queryer, func(), error),
) (err error) {
	ctx, cancel := db.withDeadline(ctx)
	defer cancel()
	defer func() { err = canceled(ctx, err) }()
	var (
		in  queryer
		end func()
	)
	err = db.outages.beginning(ctx, func() error {
		release, err := pool.acquire(ctx)
		if err != nil {
			return err
		}
		if in, end, err = begin(ctx); err != nil {
			release()
			return err
		}
		ended := end
		end = func() { ended(); release() }
		return nil
	})
	if err != nil {
		return fmt.Errorf("beginning to read: %w", beginError(err))
	}
	defer end()
	err = fn(&Snapshot{Dialect: db.Dialect, ctx: ctx, quick: db.quick(ctx), in: in, ahead: &db.ahead})
	return Advise(db.outages.asAway(err))
}

// QueryRow runs a fast query for one row. On SQLite, the query is not interrupted when the context
// ends.
func (s *Snapshot) QueryRow(query string, args ...any) Row {
	return s.in.QueryRowContext(s.quick, s.Rebind(query), args...)
}

// Query runs a fast query. On SQLite, the query is not interrupted when the context ends.
func (s *Snapshot) Query(query string, args ...any) (*sql.Rows, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return s.in.QueryContext(s.quick, s.Rebind(query), args...)
}

// SlowQuery runs a query that may read many rows. It is interrupted when the context ends.
func (s *Snapshot) SlowQuery(query string, args ...any) (*sql.Rows, error) {
	return s.in.QueryContext(s.ctx, s.Rebind(query), args...)
}

// SlowQueryRow is SlowQuery for a query that returns one row.
func (s *Snapshot) SlowQueryRow(query string, args ...any) Row {
	return s.in.QueryRowContext(s.ctx, s.Rebind(query), args...)
}
