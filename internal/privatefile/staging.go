package privatefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lockName is the name of the file in a staging directory that its program keeps locked.
const lockName = "lock"

// Staging is a directory with a temporary name in which a program prepares files that it cannot
// write in one piece, such as a database. The program keeps it locked. SweepStaging removes the
// directory of a killed program.
type Staging struct {
	dir  *os.Root // parent directory
	name string
	lock io.Closer // nil if the file system has no locks
}

// NewStaging creates a directory with mode 0700 in an existing directory. Its name consists of
// prefix and a random number. The caller calls Remove in any case.
func NewStaging(dir, prefix string) (*Staging, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unwritable(dir, err)
	}
	for tries := 100; ; tries-- {
		s := &Staging{dir: root, name: fmt.Sprintf("%s%d", prefix, rand.Uint64())}
		if err = root.Mkdir(s.name, 0o700); err == nil {
			// A sweep may remove the directory before it is locked. ErrLocked and fs.ErrNotExist
			// mean that one is doing so.
			if s.lock, err = Lock(s.Path(lockName)); err == nil || errors.Is(err, errors.ErrUnsupported) {
				return s, nil
			}
		}
		retry := errors.Is(err, fs.ErrExist) || errors.Is(err, ErrLocked) || errors.Is(err, fs.ErrNotExist)
		if tries == 0 || !retry {
			return nil, errors.Join(unwritable(dir, err), root.Close())
		}
	}
}

// Path returns the path of a file in the directory.
func (s *Staging) Path(name string) string { return filepath.Join(s.dir.Name(), s.name, name) }

// Publish syncs a file of the directory and moves it to the same name in the parent directory. If
// the name is taken there, it returns fs.ErrExist.
func (s *Staging) Publish(name string) error {
	from := filepath.Join(s.name, name)
	err := syncFile(s.dir, from)
	if err == nil {
		err = publish(s.dir, from, name)
	}
	if err == nil {
		err = syncDirectory(s.dir)
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: filepath.Join(s.dir.Name(), name), Err: Reason(err)}
	}
	return nil
}

func syncFile(dir *os.Root, name string) error {
	f, err := dir.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Sync writes a file of the directory to disk.
func (s *Staging) Sync(name string) error { return syncFile(s.dir, filepath.Join(s.name, name)) }

// Remove removes the directory with everything in it.
func (s *Staging) Remove() {
	removeLocked(s.dir, s.name, s.lock)
	_ = s.dir.Close()
}

// removeLocked removes a directory whose lock this program holds. Windows cannot remove the lock
// while it is open; elsewhere it is removed first, so that no other program can lock it meanwhile.
func removeLocked(dir *os.Root, name string, lock io.Closer) {
	err := dir.RemoveAll(name)
	if lock != nil {
		_ = lock.Close()
	}
	if err != nil {
		_ = dir.RemoveAll(name)
	}
}

// SweepStaging removes what killed programs have left of NewStaging with this prefix: directories
// of the current user whose names consist of prefix and a number and which no program keeps locked.
// Where the file system has no locks, it removes only those that were created more than a day
// before now. It does nothing in a directory in which other users could exchange files. The
// function finish is called with the path of each directory before it is removed, and prevents that
// by returning an error.
func SweepStaging(dir, prefix string, now time.Time, finish func(path string) error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(".")
	if err != nil || checkDirectory(dir, info) != nil {
		return
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		number, found := strings.CutPrefix(e.Name(), prefix)
		if !found || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		info, err := root.Lstat(e.Name())
		if err != nil || !info.IsDir() || !IsOwn(info) {
			continue
		}
		lock, err := Lock(filepath.Join(dir, e.Name(), lockName))
		unlockable := errors.Is(err, errors.ErrUnsupported) && now.Sub(info.ModTime()) > 24*time.Hour
		if err != nil && !unlockable {
			continue
		}
		if finish(filepath.Join(dir, e.Name())) == nil {
			removeLocked(root, e.Name(), lock)
		} else if lock != nil {
			_ = lock.Close()
		}
	}
}
