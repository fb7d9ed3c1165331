package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// openCached opens a pool of SQLite connections that cache prepared statements. The same statements
// run again and again, and parsing one takes as long as running it on a few rows. The PostgreSQL
// driver has a cache already.
func openCached(dsn string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(cachingConnector{connector}), nil
}

// maxCached is the largest number of prepared statements that a connection caches.
const maxCached = 100

type cachingConnector struct{ driver.Connector }

func (c cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := conn.(fullConn)
	if !ok {
		return nil, fmt.Errorf("the SQLite driver's %T lacks methods that tarmac needs", conn)
	}
	return &cachingConn{fullConn: full, idle: map[string]fullStmt{}}, nil
}

// fullConn lists the optional methods of the SQLite driver's connections that database/sql uses.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// fullStmt lists the optional methods of the SQLite driver's statements that database/sql uses.
type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// cachingConn is a connection that caches prepared statements that are not in use. database/sql
// locks it for every call. It does not implement driver.ExecerContext and driver.QueryerContext, so
// that database/sql prepares, runs and closes every statement, and closing can return the statement
// to the cache.
type cachingConn struct {
	fullConn
	idle map[string]fullStmt
}

// PrepareContext returns a cached statement for the query, or prepares a new one.
func (c *cachingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.idle[query]; ok {
		delete(c.idle, query)
		return &cachedStmt{fullStmt: s, conn: c, query: query}, nil
	}
	s, err := c.fullConn.PrepareContext(ctx, query)
	if err != nil || !cacheable(query) {
		return s, err
	}
	full, ok := s.(fullStmt)
	if !ok {
		return s, nil
	}
	return &cachedStmt{fullStmt: full, conn: c, query: query}, nil
}

// cacheable reports whether a prepared statement may be cached. It is false for statements that can
// take effect when they are prepared, such as a PRAGMA, and for statements that run only once.
func cacheable(query string) bool {
	verb, _, _ := strings.Cut(query, " ")
	switch verb {
	case "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "BEGIN", "ROLLBACK":
		return true
	}
	return false
}

// Close closes the connection after its cached statements, because SQLite refuses to close a
// connection that has any.
func (c *cachingConn) Close() error {
	for query, s := range c.idle {
		_ = s.Close()
		delete(c.idle, query)
	}
	return c.fullConn.Close()
}

// cachedStmt is a prepared statement in use. Its method Close returns it to the cache.
type cachedStmt struct {
	fullStmt
	conn   *cachingConn
	query  string
	failed bool
}

func (s *cachedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	result, err := s.fullStmt.ExecContext(ctx, args)
	s.failed = s.failed || err != nil
	return result, err
}

func (s *cachedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := s.fullStmt.QueryContext(ctx, args)
	s.failed = s.failed || err != nil
	return rows, err
}

// Close returns the statement to the cache. It really closes a statement that has failed, and one
// whose text is already in the cache.
func (s *cachedStmt) Close() error {
	if _, ok := s.conn.idle[s.query]; ok || s.failed {
		return s.fullStmt.Close()
	}
	if len(s.conn.idle) >= maxCached {
		for query, other := range s.conn.idle {
			_ = other.Close()
			delete(s.conn.idle, query)
			break
		}
	}
	s.conn.idle[s.query] = s.fullStmt
	return nil
}
