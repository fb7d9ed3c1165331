package draft

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"tarmac/internal/privatefile"
)

// replace puts content in the place of a file, all of it or, when it fails or the
// program is killed, nothing. The directory is made if need be.
func replace(path string, content []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := privatefile.CheckDirectory(dir); err != nil {
		return err
	}
	next, err := os.CreateTemp(dir, unfinished(path)) // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(next.Name())
		}
	}()
	_, err = next.Write(content)
	if err == nil {
		err = next.Sync()
	}
	if err = errors.Join(err, next.Close()); err != nil {
		return err
	}
	if err = os.Rename(next.Name(), path); err != nil {
		return err
	}
	return syncDirectory(dir)
}

// unfinished is the pattern of the names under which a file is written.
func unfinished(path string) string { return "." + filepath.Base(path) + ".*" }

// sweep removes what programs left that were killed while they wrote.
func (s *Store) sweep(org string, now time.Time) {
	found, err := filepath.Glob(filepath.Join(s.dir, unfinished(s.path(org))))
	if err != nil {
		return
	}
	for _, path := range found {
		// A younger one may be another program's that is still writing.
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > time.Hour {
			_ = os.Remove(path)
		}
	}
}

// syncDirectory makes the file's name outlast a loss of power. Windows has no such
// call.
func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	// Some file systems cannot do it for a directory, and there it need not be done.
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
