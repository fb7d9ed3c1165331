package database

import (
	"context"
	"strconv"
	"strings"
)

// Dialect is a kind of SQL. Statements are written once, in what both dialects
// understand and with SQLite's placeholders; Pick is for the few that differ.
type Dialect int

// The dialects.
const (
	SQLite Dialect = iota
	Postgres
)

// Rebind returns a statement with the dialect's placeholders. Statements must not
// contain question marks that are not placeholders.
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

// Pick returns the text for the dialect.
func (d Dialect) Pick(sqlite, postgres string) string {
	if d == Postgres {
		return postgres
	}
	return sqlite
}

// quick returns the context for queries that are answered at once on a connection that
// the caller already holds. On SQLite it cannot be canceled: watching a cancelable
// context costs goroutines, which take longer than most queries. On PostgreSQL the
// network may block, so the context stays as it is.
func (d Dialect) quick(ctx context.Context) context.Context {
	if d == Postgres {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
