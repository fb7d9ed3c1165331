package privatefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tarmac/internal/termtext"
)

// Write replaces the file at path by one with the content, mode 0600, making its
// directory with mode 0700 where there is none. Whenever the program or the
// machine stops there is either the old file or the whole new one; the part that may
// be left beside it is removed by a Write an hour later. A symbolic link at path is
// replaced and what it leads to left alone.
func Write(path string, content []byte) error {
	partial, err := prepare(path, content)
	if err != nil {
		return unwritable(path, err)
	}
	if err := os.Rename(partial, path); err != nil {
		_ = os.Remove(partial)
		return unwritable(path, err)
	}
	settle(path)
	return nil
}

// Create is Write for a file that must not be there yet; when something is at path
// the error is fs.ErrExist and nothing has changed.
func Create(path string, content []byte) error {
	partial, err := prepare(path, content)
	if err != nil {
		return unwritable(path, err)
	}
	// A link, unlike a rename, never replaces what is there.
	err = os.Link(partial, path)
	_ = os.Remove(partial)
	if err != nil {
		return unwritable(path, err)
	}
	settle(path)
	return nil
}

// prepare writes the content to a new file beside path and on to the disk.
func prepare(path string, content []byte) (partial string, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := CheckDirectory(dir); err != nil {
		return "", err
	}
	prefix := "." + filepath.Base(path) + "-"
	Sweep(dir, prefix, "", time.Now())
	f, err := os.CreateTemp(dir, prefix+"*") // mode 0600, and never a file that is there
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// settle makes the new name outlast a loss of power, where directories can be
// synced.
func settle(path string) {
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

func unwritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", termtext.Line(path), reason(err))
}

// Target returns what a chain of symbolic links at path leads to, so that Write
// replaces the file and keeps the links of whoever manages theirs that way; path
// itself where there is no link, or nothing at its end.
func Target(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}
