package store

import (
	"context"
	"database/sql"
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

// snapshot begins a transaction that sees one moment and writes nothing.
func (p pool) snapshot(ctx context.Context) (*sql.Tx, error) {
	if p.dialect == ofPostgres {
		return p.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	}
	return p.BeginTx(ctx, nil)
}
