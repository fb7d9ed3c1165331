package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"
)

// dialect is whose SQL is spoken. Statements are written once, in what both
// understand and with SQLite's placeholders; the few that differ ask for it.
type dialect int

const (
	ofSQLite dialect = iota
	ofPostgres
)

// text returns a statement with the dialect's placeholders. No statement has a
// question mark that is none.
func (d dialect) text(query string) string {
	if d == ofSQLite || !strings.Contains(query, "?") {
		return query
	}
	var b strings.Builder
	b.Grow(len(query) + 2*strings.Count(query, "?"))
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
		query = after
	}
}

// pick returns the first of two texts for SQLite, the second for PostgreSQL.
func (d dialect) pick(first, second string) string {
	if d == ofPostgres {
		return second
	}
	return first
}

// pool is connections of one purpose.
type pool struct {
	*sql.DB
	dialect
	places
}

// newPool returns a pool of so many connections.
func newPool(db *sql.DB, d dialect, conns int) pool {
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return pool{db, d, make(places, conns)}
}

// QueryRowContext is that of the connections, with the dialect's placeholders.
func (p pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.DB.QueryRowContext(ctx, p.text(query), args...)
}

// QueryContext is that of the connections, with the dialect's placeholders.
func (p pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.DB.QueryContext(ctx, p.text(query), args...)
}

func (p pool) close() error {
	if p.DB == nil {
		return nil
	}
	return p.Close()
}

// querying is what rows are read through: a transaction, or a connection in one.
type querying interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// snapshot begins a transaction that sees one moment and writes nothing, until it
// is released.
func (p pool) snapshot(ctx context.Context) (in querying, release func(), err error) {
	if p.dialect == ofPostgres {
		tx, err := p.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		// A snapshot has nothing to keep; the rollback only releases it.
		return tx, func() { _ = tx.Rollback() }, err
	}
	// A transaction of database/sql has each of its queries watched.
	conn, err := p.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	unwatched := p.unwatched(ctx)
	if _, err := conn.ExecContext(unwatched, "BEGIN"); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, func() {
		if _, err := conn.ExecContext(unwatched, "ROLLBACK"); err != nil {
			// What cannot be ended is not used again.
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = conn.Close()
	}, nil
}

// unwatched returns the context for what is answered at once, by who has a place.
// With SQLite a context that can end has every query watched by goroutines, which
// costs more than most queries do; with PostgreSQL there is a network in between.
func (d dialect) unwatched(ctx context.Context) context.Context {
	if d == ofPostgres {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
