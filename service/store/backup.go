package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Backup writes a copy of the database to a new file at path, readable by its
// owner only, and returns its size in bytes. The copy is of one moment; others
// read and write meanwhile. Nothing is ever overwritten: the error is
// fs.ErrExist where there is something already. The file appears complete, checked
// and on the disk, or not at all.
func (s *Store) Backup(ctx context.Context, path string) (size int64, err error) {
	if s.dialect == ofPostgres {
		return 0, errors.New("a PostgreSQL database is backed up with its own tools, pg_dump or a base backup; the key file of webhook secrets is backed up beside it")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return 0, fmt.Errorf("finding %s: %w", path, err)
	}
	if _, err := os.Lstat(absolute); err == nil {
		return 0, fmt.Errorf("%s: %w; name a new file", path, fs.ErrExist)
	}
	// SQLite fills an empty file that it is given, and leaves its mode as it is.
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
	if err := s.copyInto(ctx, partial); err != nil {
		return 0, fmt.Errorf("copying the database to %s: %w", path, advised(err))
	}
	if err := checkCopy(ctx, partial); err != nil {
		return 0, fmt.Errorf("checking the copy %s: %w", path, err)
	}
	if size, err = syncFile(partial); err != nil {
		return 0, fmt.Errorf("writing the copy %s: %w", path, err)
	}
	return size, place(partial, absolute)
}

// copyInto copies over a connection of its own: readers may not write, not even
// into another file, and the writer is needed meanwhile.
func (s *Store) copyInto(ctx context.Context, path string) error {
	var source string
	if err := s.reader.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&source); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dataSource(source, "deferred"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return errors.Join(err, db.Close())
}

// checkCopy reads the whole copy once. It is opened as a file that nobody writes,
// so that no log is made beside it.
func checkCopy(ctx context.Context, path string) error {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed, RawQuery: "mode=ro&immutable=1"}).String())
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

// syncFile makes the disk have a file, and returns its size.
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

// place gives a finished file its name, which must be free. A second name of the
// whole file cannot be half of it, whenever this process ends.
func place(partial, path string) error {
	err := os.Link(partial, path)
	switch {
	case err == nil:
		err = os.Remove(partial)
	case !errors.Is(err, fs.ErrExist):
		err = placeWithoutLinks(partial, path)
	}
	if err != nil {
		return fmt.Errorf("naming the copy: %w", err)
	}
	return syncDirectory(filepath.Dir(path))
}

// placeWithoutLinks is for file systems that have none: the name is taken first, so
// that two backups to one name do not both succeed.
func placeWithoutLinks(partial, path string) error {
	taken, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(taken.Close(), os.Rename(partial, path)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// syncDirectory makes the disk have the names in a directory. Windows has no such
// call and writes them itself.
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
