package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// Pool is a pool of database connections for one kind of work.
type Pool struct {
	*sql.DB
	Dialect
	slots
	outages *outages // nil on SQLite
}

// newPool returns a pool with at most conns connections to db.
func newPool(db *sql.DB, d Dialect, conns int) Pool {
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return Pool{DB: db, Dialect: d, slots: make(slots, conns)}
}

// QueryRowContext is sql.DB.QueryRowContext for a query with SQLite's placeholders.
func (p Pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.DB.QueryRowContext(ctx, p.Rebind(query), args...)
}

// QueryContext is sql.DB.QueryContext for a query with SQLite's placeholders.
func (p Pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.DB.QueryContext(ctx, p.Rebind(query), args...)
}

// ExecContext is sql.DB.ExecContext for a statement with SQLite's placeholders.
func (p Pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return p.DB.ExecContext(ctx, p.Rebind(query), args...)
}

// QuickRow runs a fast query for one row and passes the row to scan. Concurrent calls get
// connections in the order in which they came. If the server of a PostgreSQL database is gone, the
// query runs again, and scan with it.
func (p Pool) QuickRow(ctx context.Context, scan func(Row) error, query string, args ...any) error {
	return p.outages.beginning(ctx, func() error {
		release, err := p.acquire(ctx)
		if err != nil {
			return err
		}
		defer release()
		return scan(p.QueryRowContext(p.quick(ctx), query, args...))
	})
}

// Size returns the number of connections in the pool. Callers wait while all are in use.
func (p Pool) Size() int { return p.Stats().MaxOpenConnections }

func (p Pool) close() error {
	if p.DB == nil {
		return nil
	}
	return p.Close()
}

// queryer is an sql.Tx, or an sql.Conn on which a transaction has begun.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// begin begins a read-only transaction. All its queries see the database at the same moment. The
// caller must call end.
func (p Pool) begin(ctx context.Context) (in queryer, end func(), err error) {
	if p.Dialect == Postgres {
		tx, err := p.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		// Rollback is enough, because the transaction writes nothing.
		return tx, func() { _ = tx.Rollback() }, err
	}
	// An sql.Conn is faster than an sql.Tx, which would watch the context of each query.
	conn, err := p.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	quick := p.quick(ctx)
	if _, err := conn.ExecContext(quick, "BEGIN"); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, func() {
		if _, err := conn.ExecContext(quick, "ROLLBACK"); err != nil {
			// ErrBadConn makes database/sql discard a connection whose transaction cannot be ended.
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = conn.Close()
	}, nil
}
