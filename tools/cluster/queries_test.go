//go:build long && linux

package cluster_test

import (
	"database/sql"

	_ "github.com/jackc/pgx/v5/stdlib" // the database as an operator sees it
)

// db opens the database of the primary. The caller closes it.
func (c *cluster) db() *sql.DB {
	c.t.Helper()
	db, err := sql.Open("pgx", c.database(c.primary()))
	if err != nil {
		c.t.Fatal(err)
	}
	return db
}

// queryNumber returns the number that a query of the primary has.
func (c *cluster) queryNumber(query string, args ...any) (n int64) {
	c.t.Helper()
	db := c.db()
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(c.t.Context(), query, args...).Scan(&n); err != nil {
		c.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// queryStrings returns the texts that a query of the primary has.
func (c *cluster) queryStrings(query string, args ...any) (all []string) {
	c.t.Helper()
	db := c.db()
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(c.t.Context(), query, args...)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			c.t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		c.t.Fatal(err)
	}
	return all
}

// execute changes something in the primary, behind the service's back.
func (c *cluster) execute(statement string, args ...any) {
	c.t.Helper()
	db := c.db()
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(c.t.Context(), statement, args...); err != nil {
		c.t.Fatal(err)
	}
}
