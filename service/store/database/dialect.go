package database

import (
	"context"
	"strconv"
	"strings"
)

// Dialect is the dialect of SQL that a database understands. Each statement is written once, with
// SQLite's placeholders and in SQL that both databases understand. The method Pick serves the few
// parts that differ.
type Dialect int

// The supported dialects.
const (
	SQLite Dialect = iota
	Postgres
)

// Rebind replaces SQLite's placeholders (?) in a query with those of the dialect. The query must
// have no other question marks.
func (d Dialect) Rebind(query string) string {
	if d == SQLite || !strings.Contains(query, "?") {
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

// Pick returns its first argument on SQLite and its second on PostgreSQL.
func (d Dialect) Pick(sqlite, postgres string) string {
	if d == Postgres {
		return postgres
	}
	return sqlite
}

// quick returns the context for fast queries on a connection that the caller already holds. On
// SQLite it cannot be canceled: database/sql would start goroutines that watch the context, which
// takes longer than most queries. On PostgreSQL the network may block, so quick returns ctx.
func (d Dialect) quick(ctx context.Context) context.Context {
	if d == Postgres {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
