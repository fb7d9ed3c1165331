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

// replace writes a file atomically: if it fails or the program is killed, the old content
// stays. It creates the directory if needed.
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

// unfinished returns the pattern of temporary file names.
func unfinished(path string) string { return "." + filepath.Base(path) + ".*" }

// sweep removes temporary files that killed programs left.
func (s *Store) sweep(org string, now time.Time) {
	found, err := filepath.Glob(filepath.Join(s.dir, unfinished(s.path(org))))
	if err != nil {
		return
	}
	for _, path := range found {
		// Another program may still be writing a younger file.
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > time.Hour {
			_ = os.Remove(path)
		}
	}
}

// syncDirectory makes a renamed file survive a power failure. Windows has no such call.
func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	// Some file systems neither support nor need this for directories.
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
