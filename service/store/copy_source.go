package store

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

// source is a database that organizations are copied out of. Nobody else can
// change it while it is open.
type source struct {
	pool
	tx *sql.Tx
}

func openSource(ctx context.Context, database string) (*source, error) {
	if IsPostgres(database) {
		return openPostgresSource(ctx, database)
	}
	absolute, err := filepath.Abs(database)
	if err != nil {
		return nil, fmt.Errorf("finding the database %s: %w", database, err)
	}
	if err := checkSource(ctx, absolute); err != nil {
		return nil, fmt.Errorf("the database %s to copy from: %w", database, err)
	}
	// For its migrations.
	st, err := Open(ctx, database, Options{})
	if err == nil {
		err = st.Close()
	}
	if err != nil {
		return nil, err
	}
	s := &source{pool: pool{dialect: ofSQLite}}
	// Nothing that reads, as setting the size of the cache does, may come before the
	// lock is asked for: SQLite then goes on without it.
	if s.DB, err = sql.Open("sqlite", dataSource(absolute, "deferred", "locking_mode(EXCLUSIVE)", "query_only(1)")); err == nil {
		if s.tx, err = s.BeginTx(ctx, nil); err == nil {
			// The lock is taken with the first thing that is read.
			err = s.queryRow(ctx, "SELECT count(*) FROM organizations").Scan(new(int))
		}
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == result.SQLITE_BUSY {
		err = errInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the database %s: %w", database, advised(err)), s.close())
	}
	return s, nil
}

// checkSource refuses what is not there and what is somebody else's database: to
// open it as a store would make one of it.
func checkSource(ctx context.Context, path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return advised(err)
	}
	if err := errors.Join(checkFiles(file, path), file.Close()); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dataSource(path, "deferred", "query_only(1)"))
	if err != nil {
		return err
	}
	var known int
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'").Scan(&known)
	if err == nil && known == 0 {
		err = errNotOurs
	}
	return errors.Join(advised(err), db.Close())
}

var errNotOurs = errors.New("it is no database of tarmac; name the one that the service used")

var errInUse = errors.New("other processes use it: stop the service first, so that nothing changes behind the copy")

// copier is what a copy calls itself to the server; a service is called otherwise.
const copier = "tarmac copy"

func openPostgresSource(ctx context.Context, database string) (*source, error) {
	config, err := postgresConfig(database)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = copier
	// What is written elsewhere meanwhile takes as long as it takes.
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	s := &source{pool: pool{DB: stdlib.OpenDB(*config), dialect: ofPostgres}}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reading the database %s: %w", Name(database), oneLine{err}), s.close())
	}
	return s, nil
}

func (s *source) begin(ctx context.Context) (err error) {
	var known bool
	if err := s.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&known); err != nil {
		return err
	}
	if !known {
		return errNotOurs
	}
	if err := migrate(ctx, s.pool); err != nil {
		return err
	}
	if s.tx, err = s.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead}); err != nil {
		return err
	}
	// Before anything is read, so that what is read is what stays.
	if _, err := s.tx.ExecContext(ctx, "LOCK TABLE organizations, server_keys, "+strings.Join(copiedNames(), ", ")+" IN SHARE MODE"); err != nil {
		return err
	}
	return s.alone(ctx)
}

// lingering is how long the server may take to notice that a process has ended.
const lingering = 3 * time.Second

// alone returns errInUse when another process goes on using the database.
func (s *source) alone(ctx context.Context) error {
	again := time.NewTicker(lingering / 60)
	defer again.Stop()
	for deadline := time.Now().Add(lingering); ; {
		var others int
		// What a transaction once saw of this it would see until its end.
		if _, err := s.tx.ExecContext(ctx, "SELECT pg_stat_clear_snapshot()"); err != nil {
			return err
		}
		err := s.queryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tarmac'").Scan(&others)
		if err != nil || others == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return errInUse
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *source) queryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return s.tx.QueryRowContext(ctx, s.text(query), args...)
}

func (s *source) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.tx.QueryContext(ctx, s.text(query), args...)
}

// count returns how many rows there are of an organization.
func (s *source) count(ctx context.Context, org OrgKey) (total int64, err error) {
	for _, t := range copied {
		var n int64
		if err := s.queryRow(ctx, "SELECT count(*) FROM "+t.name+" WHERE "+t.where(), t.of(org)...).Scan(&n); err != nil {
			return 0, fmt.Errorf("counting %s: %w", t.name, err)
		}
		total += n
	}
	return total, nil
}

func (s *source) close() error {
	if s.tx != nil {
		_ = s.tx.Rollback() // it has nothing to keep
	}
	return s.pool.close()
}
