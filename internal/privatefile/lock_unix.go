//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package privatefile

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Lock locks a file for this program and creates it if it does not exist. The lock lasts until the
// result is closed or the program ends. The error is ErrLocked if another program holds the lock or
// has removed the file meanwhile, and errors.ErrUnsupported if the file system has no locks.
func Lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flock(f, path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func flock(f *os.File, path string) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case err != nil:
			return errors.ErrUnsupported
		}
		locked, err := f.Stat()
		if err != nil {
			return err
		}
		if named, err := os.Lstat(path); err != nil || !os.SameFile(locked, named) {
			return ErrLocked
		}
		return nil
	}
}
