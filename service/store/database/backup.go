package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Backup copies a SQLite database, as it is at one moment, to a new file at path that only
// its owner can read, and returns the copy's size in bytes. Others may read and write
// meanwhile. The file appears complete, checked and synced to disk, or not at all. Existing
// files are never overwritten: the error is then fs.ErrExist.
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
	// SQLite fills an existing empty file and keeps its mode.
	file, err := os.CreateTemp(filepath.Dir(absolute), "."+filepath.Base(absolute)+".*")
	if err != nil {
		return 0, fmt.Errorf("making the copy: %w", err)
	}
	partial := file.Name()
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(os.Remove(partial)), ignoreMissing(os.Remove(partial+"-journal")))
		}
	}()
	if err := file.Close(); err != nil {
		return 0, fmt.Errorf("making the copy: %w", err)
	}
	if err := db.copyInto(ctx, partial); err != nil {
		return 0, fmt.Errorf("copying the database to %s: %w", path, Advise(err))
	}
	if err := checkCopy(ctx, partial); err != nil {
		return 0, fmt.Errorf("checking the copy %s: %w", path, err)
	}
	if size, err = syncFile(partial); err != nil {
		return 0, fmt.Errorf("writing the copy %s: %w", path, err)
	}
	return size, publish(partial, absolute)
}

// copyInto copies over a connection of its own: readers may not write, not even into
// another file, and the writer must stay free.
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

// checkCopy reads the whole copy once, in a mode in which SQLite makes no log beside it.
func checkCopy(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", fileURL(path, "mode=ro&immutable=1"))
	if err != nil {
		return err
	}
	var found string
	err = db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	return errors.Join(err, db.Close())
}

// syncFile syncs a file to disk and returns its size.
func syncFile(path string) (int64, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, errors.Join(err, file.Close())
	}
	return info.Size(), errors.Join(file.Sync(), file.Close())
}

// publish renames the finished copy to path, which must not exist. It links the file to the
// second name before it removes the first, so that no crash leaves half a file.
func publish(partial, path string) error {
	err := os.Link(partial, path)
	switch {
	case err == nil:
		err = os.Remove(partial)
	case !errors.Is(err, fs.ErrExist):
		err = publishWithoutLinks(partial, path)
	}
	if err != nil {
		return fmt.Errorf("naming the copy: %w", err)
	}
	return syncDirectory(filepath.Dir(path))
}

// publishWithoutLinks is publish on file systems without hard links. It creates the file
// first, so that of two backups to one name only one succeeds.
func publishWithoutLinks(partial, path string) error {
	placeholder, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(placeholder.Close(), os.Rename(partial, path)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// syncDirectory syncs the names in a directory to disk. Windows has no such call and
// writes them by itself.
func syncDirectory(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
