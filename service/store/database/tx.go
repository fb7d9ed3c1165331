package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Tx is a write transaction. It is not safe for concurrent use, and must not be used after the
// function that received it has returned.
type Tx struct {
	Dialect
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
	notify   bool
	ended    error // error that may have made SQLite roll the transaction back, or nil
}

// Context returns the context of the transaction.
func (t *Tx) Context() context.Context { return t.ctx }

// maxTries is how often a transaction that conflicts with others is run.
const maxTries = 4

// Write calls fn in a write transaction. It commits when fn returns nil, and rolls back when fn
// returns an error or panics. On SQLite, write transactions run one after the other. On PostgreSQL,
// a transaction that conflicts with another is run again, so fn may be called several times. The
// error is ErrBusy if other transactions were in the way until the time ran out; nothing was
// written then.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return db.tryWriting(ctx, db.begin, fn)
}

// WriteUnsynced is Write for a change that may be lost in a power failure. Its commit does not wait
// for the disk, which takes longer than the rest of a small transaction.
func (db *DB) WriteUnsynced(ctx context.Context, fn func(*Tx) error) error {
	return db.tryWriting(ctx, db.beginUnsynced, fn)
}

// beginner begins a write transaction. The caller must call end after the end of the transaction.
type beginner func(ctx context.Context) (tx *sql.Tx, end func(), err error)

func (db *DB) begin(ctx context.Context) (tx *sql.Tx, end func(), err error) {
	tx, err = db.Writer.BeginTx(ctx, nil)
	return tx, func() {}, err
}

// beginUnsynced begins a transaction whose commit does not wait for the disk.
func (db *DB) beginUnsynced(ctx context.Context) (tx *sql.Tx, end func(), err error) {
	if db.ephemeral {
		return db.begin(ctx)
	}
	if db.Dialect == Postgres {
		if tx, end, err = db.begin(ctx); err != nil {
			return nil, nil, err
		}
		if _, err = tx.ExecContext(ctx, "SET LOCAL synchronous_commit = off"); err != nil {
			err = errors.Join(err, tx.Rollback())
		}
		return tx, end, err
	}
	conn, err := db.Writer.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	quick := db.Writer.quick(ctx)
	end = func() {
		if _, err := conn.ExecContext(quick, "PRAGMA synchronous = FULL"); err != nil {
			// ErrBadConn makes database/sql discard a connection that may not wait for the disk.
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = conn.Close()
	}
	if _, err = conn.ExecContext(quick, "PRAGMA synchronous = NORMAL"); err == nil {
		tx, err = conn.BeginTx(ctx, nil)
	}
	if err != nil {
		end()
	}
	return tx, end, err
}

// tryWriting runs a write transaction, again if it conflicts with others.
func (db *DB) tryWriting(ctx context.Context, begin beginner, fn func(*Tx) error) error {
	ctx, cancel := db.withDeadline(ctx)
	defer cancel()
	changes := int64(0)
	if db.onCommit != nil {
		fn = counted(fn, &changes)
	}
	for tries := 1; ; tries++ {
		err := canceled(ctx, db.write(ctx, begin, fn))
		if err == nil && db.onCommit != nil {
			db.onCommit(changes)
		}
		if tries == maxTries || !isConflict(err) {
			return conflictAsBusy(err)
		}
	}
}

// counted returns a function that calls fn and counts the rows that it changes on SQLite.
func counted(fn func(*Tx) error, changes *int64) func(*Tx) error {
	return func(tx *Tx) error {
		var before int64
		if err := tx.QueryRow("SELECT total_changes()").Scan(&before); err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		err := tx.QueryRow("SELECT total_changes()").Scan(changes)
		*changes -= before
		return err
	}
}

func (db *DB) write(ctx context.Context, begin beginner, fn func(*Tx) error) (err error) {
	var (
		sqlTx *sql.Tx
		end   func()
	)
	err = db.outages.beginning(ctx, func() error {
		release, err := db.Writer.acquire(ctx)
		if err != nil {
			return err
		}
		if sqlTx, end, err = begin(ctx); err != nil {
			release()
			return err
		}
		ended := end
		end = func() { ended(); release() }
		return nil
	})
	if err != nil {
		return fmt.Errorf("beginning to write: %w", beginError(err))
	}
	defer end()
	committed := false
	defer func() {
		if committed {
			return
		}
		// This also runs when fn panics. If the transaction has been rolled back already, the error
		// of Rollback is ignored. database/sql rolls back when the context ends, and SQLite when
		// the disk is full.
		if e := sqlTx.Rollback(); e != nil && !errors.Is(e, sql.ErrTxDone) && !mayRollBack(err) {
			err = db.outages.asAway(errors.Join(err, fmt.Errorf("rolling back: %w", e)))
		}
	}()
	tx := &Tx{Dialect: db.Dialect, ctx: ctx, tx: sqlTx, prepared: map[string]*sql.Stmt{}}
	if err := fn(tx); err != nil {
		if sqlState(err) != "" {
			err = db.outages.asAway(err)
		}
		return Advise(err)
	}
	if tx.ended != nil {
		return Advise(tx.ended)
	}
	if err := sqlTx.Commit(); err != nil {
		return unknownOutcome{fmt.Errorf("committing: %w", Advise(err))}
	}
	committed = true
	if tx.notify {
		db.notify()
	}
	return nil
}

// Notify makes the commit of this transaction send a value to the channels of DB.Notifications in
// all processes.
func (tx *Tx) Notify() { tx.notify = true }

// statement returns a prepared statement for the query. Each query is prepared once for each
// transaction.
func (tx *Tx) statement(query string) (*sql.Stmt, error) {
	if tx.ended != nil {
		return nil, tx.ended // a write after the rollback would be committed at once
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

// Exec runs a statement with SQLite's placeholders.
func (tx *Tx) Exec(query string, args ...any) (sql.Result, error) {
	// The PostgreSQL driver itself caches prepared statements.
	if tx.Dialect == Postgres {
		return tx.tx.ExecContext(tx.ctx, tx.Rebind(query), args...)
	}
	stmt, err := tx.statement(query)
	if err != nil {
		return nil, err
	}
	result, err := stmt.ExecContext(tx.ctx, args...)
	if mayRollBack(err) {
		tx.ended = err
	}
	return result, err
}

// QueryRow runs a query for one row, or a statement that returns one, with SQLite's placeholders.
func (tx *Tx) QueryRow(query string, args ...any) Row {
	if tx.Dialect == Postgres {
		return tx.tx.QueryRowContext(tx.ctx, tx.Rebind(query), args...)
	}
	stmt, err := tx.statement(query)
	if err != nil {
		return failedRow{err}
	}
	return writtenRow{stmt.QueryRowContext(tx.ctx, args...), tx}
}

// failedRow is the Row of a query that could not be run. Its method Scan returns the error.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// writtenRow is the row that a statement returns. The statement may also write, so Scan checks
// whether its error rolled the transaction back.
type writtenRow struct {
	*sql.Row
	tx *Tx
}

func (r writtenRow) Scan(dest ...any) error {
	err := r.Row.Scan(dest...)
	if mayRollBack(err) {
		r.tx.ended = err
	}
	return err
}

// Query runs a query with SQLite's placeholders. The caller closes the rows.
func (tx *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	if tx.Dialect == Postgres {
		return tx.tx.QueryContext(tx.ctx, tx.Rebind(query), args...)
	}
	stmt, err := tx.statement(query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(tx.ctx, args...)
}

// LockRow runs a statement that waits for the lock of a row. The error is ErrBusy if the lock is
// not obtained before the deadline of the transaction's context.
func (tx *Tx) LockRow(query string, args ...any) error {
	_, err := tx.Exec(query, args...)
	if err != nil && errors.Is(tx.ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}
