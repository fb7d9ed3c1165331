package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"
	result "modernc.org/sqlite/lib"
)

// Source is a database whose rows are copied to another. While it is open, no other process can
// change it, and all its queries see it at the same moment.
type Source struct {
	pool Pool
	tx   *sql.Tx
}

// OpenSource opens an existing database, migrates it to the newest schema, and locks it. On SQLite
// it locks the whole file, on PostgreSQL the given tables. It returns an error if other processes
// use the database.
func OpenSource(ctx context.Context, name string, schema Schema, tables []string) (*Source, error) {
	if IsPostgres(name) {
		return openPostgresSource(ctx, name, schema, tables)
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("finding the database %s: %w", name, err)
	}
	if err := checkSource(ctx, absolute); err != nil {
		return nil, fmt.Errorf("the database %s to copy from: %w", name, err)
	}
	// Opening the database applies the missing migrations.
	db, err := Open(ctx, name, schema, Options{})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		return nil, err
	}
	s := &Source{pool: Pool{Dialect: SQLite}}
	// The connection must request the lock before it reads anything, even by a PRAGMA such as
	// cache_size. Otherwise SQLite continues without the lock.
	if s.pool.DB, err = sql.Open("sqlite",
		dsn(absolute, "deferred", "locking_mode(EXCLUSIVE)", "query_only(1)")); err == nil {
		if s.tx, err = s.pool.BeginTx(ctx, nil); err == nil {
			// This first read obtains the lock.
			err = s.QueryRow(ctx, "SELECT count(*) FROM goose_db_version").Scan(new(int))
		}
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == result.SQLITE_BUSY {
		err = errInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the database %s: %w", name, Advise(err)), s.Close())
	}
	return s, nil
}

// checkSource returns an error if the file is missing or is the database of another program. Open
// would create it or add tables to it.
func checkSource(ctx context.Context, path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return Advise(err)
	}
	if err := errors.Join(checkFiles(file, path), file.Close()); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(path, "deferred", "query_only(1)"))
	if err != nil {
		return err
	}
	var known int
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'").Scan(&known)
	if err == nil && known == 0 {
		err = errNotOurs
	}
	return errors.Join(Advise(err), db.Close())
}

var (
	errNotOurs = errors.New("it is no database of tarmac; name the one that the service used")
	errInUse   = errors.New("other processes use it: stop the service first, so that nothing changes behind the copy")
)

// copyName is the application_name of connections that copy. Services have another name, by which
// awaitAlone recognizes their connections.
const copyName = "tarmac copy"

func openPostgresSource(ctx context.Context, name string, schema Schema, tables []string) (*Source, error) {
	config, err := postgresConfig(name)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = copyName
	// The transaction is idle while rows are written to the target, which may take any time.
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	s := &Source{pool: Pool{DB: stdlib.OpenDB(*config), Dialect: Postgres}}
	if err := s.begin(ctx, schema, tables); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the database %s: %w", PublicName(name), oneLine{err}), s.Close())
	}
	return s, nil
}

func (s *Source) begin(ctx context.Context, schema Schema, tables []string) (err error) {
	var known bool
	if err := s.pool.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&known); err != nil {
		return err
	}
	if !known {
		return errNotOurs
	}
	if err := migrate(ctx, s.pool, schema); err != nil {
		return err
	}
	if s.tx, err = s.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead}); err != nil {
		return err
	}
	// The tables are locked before the first read, so that they do not change afterwards.
	if _, err := s.tx.ExecContext(ctx, "LOCK TABLE "+strings.Join(tables, ", ")+" IN SHARE MODE"); err != nil {
		return err
	}
	return s.awaitAlone(ctx)
}

// disconnectTime is the time within which a PostgreSQL server notices that a client has ended.
const disconnectTime = 3 * time.Second

// awaitAlone waits until no service is connected to the database. It returns errInUse if one still
// is after disconnectTime.
func (s *Source) awaitAlone(ctx context.Context) error {
	poll := time.NewTicker(disconnectTime / 60)
	defer poll.Stop()
	for deadline := time.Now().Add(disconnectTime); ; {
		var others int
		// Without this, the transaction would see the same statistics at every query.
		if _, err := s.tx.ExecContext(ctx, "SELECT pg_stat_clear_snapshot()"); err != nil {
			return err
		}
		err := s.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'tarmac'`).Scan(&others)
		if err != nil || others == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return errInUse
		}
		select {
		case <-poll.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// QueryRow runs a query for one row, with SQLite's placeholders.
func (s *Source) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return s.tx.QueryRowContext(ctx, s.pool.Rebind(query), args...)
}

// Query runs a query with SQLite's placeholders. The caller closes the rows.
func (s *Source) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.tx.QueryContext(ctx, s.pool.Rebind(query), args...)
}

// Close unlocks and closes the database.
func (s *Source) Close() error {
	if s.tx != nil {
		_ = s.tx.Rollback() // the transaction has written nothing
	}
	return s.pool.close()
}
