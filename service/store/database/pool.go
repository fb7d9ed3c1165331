package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// Pool is the connections for one kind of work.
type Pool struct {
	*sql.DB
	Dialect
	slots
}

// newPool returns a pool of so many connections.
func newPool(db *sql.DB, d Dialect, conns int) Pool {
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return Pool{db, d, make(slots, conns)}
}

// QueryRowContext is sql.DB.QueryRowContext with the dialect's placeholders.
func (p Pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.DB.QueryRowContext(ctx, p.Rebind(query), args...)
}

// QueryContext is sql.DB.QueryContext with the dialect's placeholders.
func (p Pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.DB.QueryContext(ctx, p.Rebind(query), args...)
}

// ExecContext is sql.DB.ExecContext with the dialect's placeholders.
func (p Pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return p.DB.ExecContext(ctx, p.Rebind(query), args...)
}

// QuickRow reads one row with a query that is answered at once. Callers get their
// connection in the order they came.
func (p Pool) QuickRow(ctx context.Context, scan func(Row) error, query string, args ...any) error {
	release, err := p.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	return scan(p.QueryRowContext(p.quick(ctx), query, args...))
}

// Size returns how many connections the pool has; further callers wait.
func (p Pool) Size() int { return p.Stats().MaxOpenConnections }

func (p Pool) close() error {
	if p.DB == nil {
		return nil
	}
	return p.Close()
}

// queryer is a transaction, or a connection inside one.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// begin begins a read-only transaction that sees the database at one moment.
func (p Pool) begin(ctx context.Context) (in queryer, end func(), err error) {
	if p.Dialect == Postgres {
		tx, err := p.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		// It wrote nothing; the rollback only ends it.
		return tx, func() { _ = tx.Rollback() }, err
	}
	// An sql.Tx would watch the context of each query.
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
			// A connection whose transaction cannot be ended is discarded.
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = conn.Close()
	}, nil
}
