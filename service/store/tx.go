package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tarmac/service/ledger"
)

// Tx is one writing transaction. It is not safe for concurrent use and must not
// be kept after the function that got it.
type Tx struct {
	dialect
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
	locked   map[any]bool // OrgKey and EndpointKey
	folder   *ledger.Folder
	queued   bool  // deliveries are due when this is committed
	ended    error // what SQLite may have rolled the transaction back for
}

// Write runs fn in one transaction: all of what it wrote is kept when it returns
// nil, and nothing of it when it returns an error or panics. With SQLite all
// transactions that write run one after the other; with PostgreSQL those of one
// organization do, and one that got in another's way is run again, so that fn may
// be called several times. The error is ErrBusy when nothing was kept because others
// were writing all the time, in this process or another.
func (s *Store) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	for tries := 1; ; tries++ {
		err := canceled(ctx, s.write(ctx, fn))
		if tries == mostTries || !s.inTheWay(err) {
			return s.told(err)
		}
	}
}

// WriteOf is Write for one organization. With PostgreSQL one of its transactions in
// this process is under way at a time: all others would only wait for the lock of
// its row, each with a connection that other organizations need.
func (s *Store) WriteOf(ctx context.Context, org OrgKey, fn func(*Tx) error) error {
	if s.dialect == ofPostgres {
		waiting, cancel := context.WithTimeout(ctx, lockTimeout)
		defer cancel()
		done, err := s.writes.take(waiting, org)
		if err != nil {
			return err
		}
		defer done()
	}
	return s.Write(ctx, fn)
}

func (s *Store) write(ctx context.Context, fn func(*Tx) error) (err error) {
	leave, err := s.writer.enter(ctx)
	if err != nil {
		return fmt.Errorf("beginning to write: %w", notBegun(err))
	}
	defer leave()
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning to write: %w", notBegun(err))
	}
	committed := false
	defer func() {
		if committed {
			return
		}
		// Also reached when fn panics. A context that has ended rolled back already,
		// and so did SQLite where the disk is full.
		if e := tx.Rollback(); e != nil && !errors.Is(e, sql.ErrTxDone) && !rolledBack(err) {
			err = errors.Join(err, fmt.Errorf("rolling back: %w", e))
		}
	}()
	writing := &Tx{dialect: s.dialect, ctx: ctx, tx: tx, prepared: map[string]*sql.Stmt{}, locked: map[any]bool{}, folder: ledger.NewFolder()}
	if err := fn(writing); err != nil {
		return advised(err)
	}
	if writing.ended != nil {
		return advised(writing.ended)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", advised(err))
	}
	committed = true
	if writing.queued {
		s.wake()
		if s.bell != nil {
			s.bell.ring()
		}
	}
	return nil
}

// statement prepares each text once in a transaction.
func (tx *Tx) statement(query string) (*sql.Stmt, error) {
	if tx.ended != nil {
		return nil, tx.ended // what was written now would be kept by itself
	}
	if stmt, ok := tx.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := tx.tx.PrepareContext(tx.ctx, query)
	if err != nil {
		return nil, err
	}
	tx.prepared[query] = stmt
	return stmt, nil
}

func (tx *Tx) exec(query string, args ...any) (sql.Result, error) {
	// PostgreSQL's driver keeps what it prepared with the connection.
	if tx.dialect == ofPostgres {
		return tx.tx.ExecContext(tx.ctx, tx.text(query), args...)
	}
	stmt, err := tx.statement(query)
	if err != nil {
		return nil, err
	}
	result, err := stmt.ExecContext(tx.ctx, args...)
	if rolledBack(err) {
		tx.ended = err
	}
	return result, err
}

// insert runs a statement that adds one row, and returns the row's id.
func (tx *Tx) insert(query string, args ...any) (id int64, err error) {
	if tx.dialect == ofPostgres {
		err = tx.queryRow(query+" RETURNING id", args...).Scan(&id)
		return id, err
	}
	result, err := tx.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// execOne runs a statement that has to change exactly one row.
func (tx *Tx) execOne(query string, args ...any) error {
	result, err := tx.exec(query, args...)
	if sqlState(err) == unstorableText {
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

func (tx *Tx) queryRow(query string, args ...any) *sql.Row {
	return tx.tx.QueryRowContext(tx.ctx, tx.text(query), args...)
}

func (tx *Tx) query(query string, args ...any) (*sql.Rows, error) {
	if tx.dialect == ofPostgres {
		return tx.tx.QueryContext(tx.ctx, tx.text(query), args...)
	}
	stmt, err := tx.statement(query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(tx.ctx, args...)
}

// Snapshot is one reading transaction: everything read through it is of the
// same moment. It is not safe for concurrent use and must not be kept after the
// function that got it.
type Snapshot struct {
	dialect
	ctx    context.Context
	brief  context.Context // of what is answered at once
	in     querying
	totals *totals
	growth *growths
}

// Read runs fn on a snapshot. It does not wait for writers.
func (s *Store) Read(ctx context.Context, fn func(*Snapshot) error) error {
	return s.readFrom(ctx, s.reader, fn)
}

func (s *Store) readFrom(ctx context.Context, from pool, fn func(*Snapshot) error) (err error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	defer func() { err = canceled(ctx, err) }()
	leave, err := from.enter(ctx)
	if err != nil {
		return fmt.Errorf("beginning to read: %w", notBegun(err))
	}
	defer leave()
	in, release, err := from.snapshot(ctx)
	if err != nil {
		return fmt.Errorf("beginning to read: %w", notBegun(err))
	}
	defer release()
	return advised(fn(&Snapshot{dialect: s.dialect, ctx: ctx, brief: s.unwatched(ctx), in: in, totals: &s.totals, growth: &s.growth}))
}

func (s *Snapshot) queryRow(query string, args ...any) *sql.Row {
	return s.in.QueryRowContext(s.brief, s.text(query), args...)
}

func (s *Snapshot) query(query string, args ...any) (*sql.Rows, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return s.in.QueryContext(s.brief, s.text(query), args...)
}

// search is query for what may take looking through a ledger: it ends with the
// snapshot's context.
func (s *Snapshot) search(query string, args ...any) (*sql.Rows, error) {
	return s.in.QueryContext(s.ctx, s.text(query), args...)
}

func (s *Snapshot) searchRow(query string, args ...any) *sql.Row {
	return s.in.QueryRowContext(s.ctx, s.text(query), args...)
}

// reading is what Tx and Snapshot read through.
type reading interface {
	queryRow(query string, args ...any) *sql.Row
	query(query string, args ...any) (*sql.Rows, error)
}

// rowScanner is a row to scan: *sql.Row or *sql.Rows.
type rowScanner interface{ Scan(dest ...any) error }

// collect reads all rows with scan. It returns an empty slice, never nil.
func collect[T any](rows *sql.Rows, err error, what string, scan func(rowScanner) (T, error)) (_ []T, failed error) {
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	defer func() { failed = errors.Join(failed, rows.Close()) }()
	all := []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", what, err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", what, err)
	}
	return all, nil
}
