package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	"modernc.org/sqlite"
	result "modernc.org/sqlite/lib"
)

// ErrInUse means that another process has a database file open.
var ErrInUse = errors.New("another process has it open")

// CheckForeign returns an error if the SQLite database at path is damaged, or has triggers or
// views, which those of this service never have: a file from elsewhere could change data with them.
// It writes nothing.
func CheckForeign(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", fileURL(path, "mode=ro&immutable=1&_pragma=trusted_schema(0)"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if err := quickCheck(db.QueryRowContext(ctx, quickCheckQuery)); err != nil {
		return err
	}
	var foreign int
	query := "SELECT count(*) FROM sqlite_master WHERE type IN ('trigger', 'view')"
	if err := db.QueryRowContext(ctx, query).Scan(&foreign); err != nil {
		return err
	}
	if foreign > 0 {
		return errors.New("it has triggers or views, which tarmac does not make")
	}
	return nil
}

// LockFile closes the write-ahead log of the SQLite database at path, which is then whole without
// other files, and keeps all other processes from it until release is called. The error is ErrInUse
// if another process has it open. A damaged database is no error: no process can use it.
func LockFile(ctx context.Context, path string) (release func() error, err error) {
	// SQLite would remove a log beside a file that is no database.
	if is, err := isDatabase(path); err != nil || !is {
		return func() error { return nil }, err
	}
	db, err := sql.Open("sqlite", fileURL(path, "mode=rw&_pragma=busy_timeout(1000)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var mode string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	closed := mode == "delete"
	if err == nil && closed {
		_, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	switch {
	case err == nil && closed, IsDamaged(err):
		return db.Close, nil
	case isBusy(err), err == nil:
		err = ErrInUse
	default:
		err = fmt.Errorf("locking the database: %w", err)
	}
	return nil, errors.Join(err, db.Close())
}

// isDatabase reports whether the file at path begins as SQLite files do.
func isDatabase(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	start := make([]byte, len(magic))
	_, err = io.ReadFull(file, start)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return string(start) == magic, err
}

// IsDamaged reports whether err says that a SQLite file is damaged or of another kind.
func IsDamaged(err error) bool {
	if errors.Is(err, errNotADatabase) {
		return true
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	code := e.Code() & 0xff
	return code == result.SQLITE_CORRUPT || code == result.SQLITE_NOTADB
}
