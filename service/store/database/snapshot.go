package database

import (
	"context"
	"database/sql"
	"fmt"
)

// Snapshot is one read transaction: all its queries see the database at the same moment.
// It is not safe for concurrent use and must not be kept after the function that got it
// returns.
type Snapshot struct {
	Dialect
	ctx   context.Context
	quick context.Context // for queries that are answered at once
	in    queryer
}

// Read runs fn on a snapshot, over a connection of the pool. It does not wait for writers.
func (db *DB) Read(ctx context.Context, from Pool, fn func(*Snapshot) error) (err error) {
	ctx, cancel := db.withDeadline(ctx)
	defer cancel()
	defer func() { err = canceled(ctx, err) }()
	release, err := from.acquire(ctx)
	if err != nil {
		return fmt.Errorf("beginning to read: %w", beginError(err))
	}
	defer release()
	in, end, err := from.begin(ctx)
	if err != nil {
		return fmt.Errorf("beginning to read: %w", beginError(err))
	}
	defer end()
	return Advise(fn(&Snapshot{Dialect: db.Dialect, ctx: ctx, quick: db.quick(ctx), in: in}))
}

// QueryRow runs a query for one row that is answered at once: on SQLite it is not
// interrupted when the context ends.
func (s *Snapshot) QueryRow(query string, args ...any) Row {
	return s.in.QueryRowContext(s.quick, s.Rebind(query), args...)
}

// Query runs a query that is answered at once: on SQLite it is not interrupted when the
// context ends.
func (s *Snapshot) Query(query string, args ...any) (*sql.Rows, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return s.in.QueryContext(s.quick, s.Rebind(query), args...)
}

// SlowQuery runs a query that may read much. It is interrupted when the context ends.
func (s *Snapshot) SlowQuery(query string, args ...any) (*sql.Rows, error) {
	return s.in.QueryContext(s.ctx, s.Rebind(query), args...)
}

// SlowQueryRow is SlowQuery for one row.
func (s *Snapshot) SlowQueryRow(query string, args ...any) Row {
	return s.in.QueryRowContext(s.ctx, s.Rebind(query), args...)
}
