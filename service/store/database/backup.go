package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tarmac/internal/privatefile"
)

// Backup copies a SQLite database to a new file at path that only its owner can read, and returns
// the file's size in bytes. The copy shows the database at one moment; others may read and write
// meanwhile. The file appears complete, checked and synced to disk, or not at all. Backup never
// overwrites a file: it then returns fs.ErrExist.
func (db *DB) Backup(ctx context.Context, path string) (size int64, err error) {
	if db.Dialect == Postgres {
		return 0, errors.New("a PostgreSQL database is backed up with its own tools, pg_dump or a base backup; " +
			"the key file of webhook secrets is backed up beside it")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return 0, fmt.Errorf("finding %s: %w", path, err)
	}
	if _, err := os.Lstat(absolute); err == nil {
		return 0, fmt.Errorf("%s: %w; name a new file", path, fs.ErrExist)
	}
	dir, name := filepath.Split(absolute)
	// SQLite writes into an existing file if it is empty, and keeps its mode.
	partial, err := privatefile.CreateTemp(dir, "."+name+".", "")
	if err != nil {
		return 0, fmt.Errorf("making the copy: %w", err)
	}
	defer partial.Discard()
	defer func() { _ = os.Remove(partial.Path() + "-journal") }()
	if err := db.copyInto(ctx, partial.Path()); err != nil {
		return 0, fmt.Errorf("copying the database to %s: %w", path, Advise(err))
	}
	if err := checkCopy(ctx, partial.Path()); err != nil {
		return 0, fmt.Errorf("checking the copy %s: %w", path, err)
	}
	info, err := partial.Stat()
	if err == nil {
		err = partial.Publish(name)
	}
	if err != nil {
		return 0, fmt.Errorf("writing the copy: %w", err)
	}
	return info.Size(), nil
}

// copyInto copies the database to path over a separate connection. Connections of the pool Reader
// cannot write, not even to another file, and the connection of the pool Writer must stay free.
func (db *DB) copyInto(ctx context.Context, path string) error {
	var source string
	query := "SELECT file FROM pragma_database_list WHERE name = 'main'"
	if err := db.Reader.QueryRowContext(ctx, query).Scan(&source); err != nil {
		return err
	}
	conn, err := sql.Open("sqlite", dsn(source, "deferred"))
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "VACUUM INTO ?", path)
	return errors.Join(err, conn.Close())
}

// Check lets SQLite check the whole database and returns what is wrong with it. A PostgreSQL
// database is checked with its own tools; Check returns nil.
func (db *DB) Check(ctx context.Context) error {
	if db.Dialect == Postgres {
		return nil
	}
	return quickCheck(db.Reader.QueryRowContext(ctx, quickCheckQuery))
}

const quickCheckQuery = "PRAGMA quick_check(1)"

func quickCheck(row *sql.Row) error {
	var found string
	err := row.Scan(&found)
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	return err
}

// checkCopy lets SQLite check the whole copy at path, in a mode that creates no write-ahead log
// beside it.
func checkCopy(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", fileURL(path, "mode=ro&immutable=1"))
	if err != nil {
		return err
	}
	return errors.Join(quickCheck(db.QueryRowContext(ctx, quickCheckQuery)), db.Close())
}
