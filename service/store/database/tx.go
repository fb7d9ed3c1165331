package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Tx is one write transaction. It is not safe for concurrent use, and must not be used after the
// function that received it has returned.
type Tx struct {
	Dialect
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
	notify   bool
	ended    error // the error after which SQLite may have rolled the transaction back
}

// maxTries is how many times a transaction is run that conflicts with others.
const maxTries = 4

// Write runs fn in one transaction. It is committed when fn returns nil, and rolled back when fn
// returns an error or panics. On SQLite write transactions run one after the other. On
// PostgreSQL a transaction that conflicts with another is run again, so fn may be called several
// times. The error is ErrBusy if nothing was written because other transactions, of this process
// or another, were in the way all the time.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) (err error) {
	ctx, cancel := db.withDeadline(ctx)
	defer cancel()
	for tries := 1; ; tries++ {
		err := canceled(ctx, db.write(ctx, fn))
		if tries == maxTries || !isConflict(err) {
			return conflictAsBusy(err)
		}
	}
}

func (db *DB) write(ctx context.Context, fn func(*Tx) error) (err error) {
	release, err := db.Writer.acquire(ctx)
	if err != nil {
		return fmt.Errorf("beginning to write: %w", beginError(err))
	}
	defer release()
	sqlTx, err := db.Writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning to write: %w", beginError(err))
	}
	committed := false
	defer func() {
		if committed {
			return
		}
		// This also runs when fn panics. The rollback fails without harm if the transaction is
		// rolled back already: by database/sql when the context ends, or by SQLite when the disk
		// is full.
		if e := sqlTx.Rollback(); e != nil && !errors.Is(e, sql.ErrTxDone) && !mayRollBack(err) {
			err = errors.Join(err, fmt.Errorf("rolling back: %w", e))
		}
	}()
	tx := &Tx{Dialect: db.Dialect, ctx: ctx, tx: sqlTx, prepared: map[string]*sql.Stmt{}}
	if err := fn(tx); err != nil {
		return Advise(err)
	}
	if tx.ended != nil {
		return Advise(tx.ended)
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", Advise(err))
	}
	committed = true
	if tx.notify {
		db.notify()
	}
	return nil
}

// Notify makes the commit notify the receivers of DB.Notifications, in all processes.
func (tx *Tx) Notify() { tx.notify = true }

// statement returns the prepared statement for a query, which is prepared once in a transaction.
func (tx *Tx) statement(query string) (*sql.Stmt, error) {
	if tx.ended != nil {
		return nil, tx.ended // outside of the transaction, a write would be committed at once
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
	// PostgreSQL's driver caches the prepared statements of each connection.
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

// QueryRow runs a query for one row, or a statement that returns one.
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

// failedRow is the row of a query that was not run.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// writtenRow is the row of a statement that may also write. Scan notices if that failed.
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

// LockRow runs a statement that waits for a row's lock. The error is ErrBusy when the
// deadline of the transaction's context passes first.
func (tx *Tx) LockRow(query string, args ...any) error {
	_, err := tx.Exec(query, args...)
	if err != nil && errors.Is(tx.ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}
