package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// openKeeping opens connections to SQLite that keep what they prepare: parsing a
// statement takes as long as running it on a few rows, and the same few are run
// over and over. PostgreSQL's driver does so by itself.
func openKeeping(name string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(name)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keepingConnector{connector}), nil
}

// mostKept is how many statements a connection keeps.
const mostKept = 100

type keepingConnector struct{ driver.Connector }

func (c keepingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole, ok := conn.(wholeConn)
	if !ok {
		return nil, fmt.Errorf("the driver's connections are not what they were: %T", conn)
	}
	return &keepingConn{wholeConn: whole, idle: map[string]wholeStmt{}}, nil
}

// wholeConn is what the driver's connections can do and database/sql asks for.
type wholeConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// wholeStmt is the same of its statements.
type wholeStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keepingConn keeps statements that nobody uses; database/sql locks it for every
// call. It is no driver.ExecerContext or QueryerContext: without, database/sql
// prepares, runs and closes, which is what is wanted here.
type keepingConn struct {
	wholeConn
	idle map[string]wholeStmt
}

// PrepareContext hands out a statement that was kept, or a new one.
func (c *keepingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.idle[query]; ok {
		delete(c.idle, query)
		return &keptStmt{wholeStmt: s, conn: c, query: query}, nil
	}
	s, err := c.wholeConn.PrepareContext(ctx, query)
	if err != nil || !worthKeeping(query) {
		return s, err
	}
	whole, ok := s.(wholeStmt)
	if !ok {
		return s, nil
	}
	return &keptStmt{wholeStmt: whole, conn: c, query: query}, nil
}

// worthKeeping is false for what may take effect when it is prepared, as a PRAGMA
// does, and for what is run once.
func worthKeeping(query string) bool {
	verb, _, _ := strings.Cut(query, " ")
	switch verb {
	case "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "BEGIN", "ROLLBACK":
		return true
	}
	return false
}

// Close ends the statements first: SQLite closes no connection that has some.
func (c *keepingConn) Close() error {
	for query, s := range c.idle {
		_ = s.Close()
		delete(c.idle, query)
	}
	return c.wholeConn.Close()
}

// keptStmt goes back to its connection when it is closed.
type keptStmt struct {
	wholeStmt
	conn   *keepingConn
	query  string
	failed bool
}

// ExecContext runs the statement.
func (s *keptStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	result, err := s.wholeStmt.ExecContext(ctx, args)
	s.failed = s.failed || err != nil
	return result, err
}

// QueryContext runs the statement and returns its rows.
func (s *keptStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := s.wholeStmt.QueryContext(ctx, args)
	s.failed = s.failed || err != nil
	return rows, err
}

// Close keeps the statement, unless it failed or another of its text is kept.
func (s *keptStmt) Close() error {
	if _, ok := s.conn.idle[s.query]; ok || s.failed {
		return s.wholeStmt.Close()
	}
	if len(s.conn.idle) >= mostKept {
		for query, other := range s.conn.idle {
			_ = other.Close()
			delete(s.conn.idle, query)
			break
		}
	}
	s.conn.idle[s.query] = s.wholeStmt
	return nil
}
