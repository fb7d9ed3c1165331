package database

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Load is a long write transaction that fills tables with copied rows. It is not safe for
// concurrent use.
type Load struct {
	Dialect
	ctx  context.Context
	conn *sql.Conn
	tx   *sql.Tx
}

// AllowPauses is the statement that lets a transaction of PostgreSQL be idle for up to a minute.
const AllowPauses = "SET LOCAL idle_in_transaction_session_timeout = '1min'"

// BeginLoad begins a load. At the end the caller must call Rollback, even after Commit.
func (db *DB) BeginLoad(ctx context.Context) (*Load, error) {
	l := &Load{Dialect: db.Dialect, ctx: ctx}
	var err error
	if l.conn, err = db.Writer.Conn(ctx); err == nil {
		l.tx, err = l.conn.BeginTx(ctx, nil)
	}
	if err == nil && db.Dialect == Postgres {
		// The transaction is idle while rows are read from the source. The time-out is long enough
		// for that, and still ends the transaction if this machine fails.
		err = l.Exec(AllowPauses)
	}
	if err != nil {
		l.Rollback()
		return nil, fmt.Errorf("beginning to write: %w", beginError(err))
	}
	return l, nil
}

// Commit commits the rows that were inserted.
func (l *Load) Commit() error {
	if err := l.tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", Advise(err))
	}
	return nil
}

// Rollback discards rows that were not committed, and returns the connection to its pool. After
// Commit it only returns the connection.
func (l *Load) Rollback() {
	if l.tx != nil {
		_ = l.tx.Rollback()
	}
	if l.conn != nil {
		_ = l.conn.Close()
	}
}

// Exec runs a statement with SQLite's placeholders in the load's transaction.
func (l *Load) Exec(query string, args ...any) error {
	_, err := l.tx.ExecContext(l.ctx, l.Rebind(query), args...)
	return err
}

// QueryRow runs a query for one row in the load's transaction.
func (l *Load) QueryRow(query string, args ...any) *sql.Row {
	return l.tx.QueryRowContext(l.ctx, l.Rebind(query), args...)
}

// Query runs a query in the load's transaction. The caller closes the rows.
func (l *Load) Query(query string, args ...any) (*sql.Rows, error) {
	return l.tx.QueryContext(l.ctx, l.Rebind(query), args...)
}

// Rows iterates over rows for Load.Insert.
type Rows interface {
	// Next advances to the next row. It returns false after the last row and after an error.
	Next() bool
	// Values returns the current row's values.
	Values() ([]any, error)
	// Err returns the error that made Next return false, or nil after the last row.
	Err() error
}

// Insert inserts rows into a table. On PostgreSQL it uses COPY, which is faster than INSERT.
func (l *Load) Insert(table string, columns []string, rows Rows) error {
	if l.Dialect == Postgres {
		return l.conn.Raw(func(driver any) error {
			conn, ok := driver.(*stdlib.Conn)
			if !ok {
				return fmt.Errorf("the database's driver is a %T", driver)
			}
			_, err := conn.Conn().CopyFrom(l.ctx, pgx.Identifier{table}, columns, rows)
			return err
		})
	}
	insert, err := l.tx.PrepareContext(l.ctx, InsertInto(table, columns))
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		if _, err := insert.ExecContext(l.ctx, values...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// InsertInto returns an INSERT statement for one row, with a placeholder (?) for each column.
func InsertInto(table string, columns []string) string {
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (?" +
		strings.Repeat(", ?", len(columns)-1) + ")"
}
