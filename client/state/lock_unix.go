//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package state

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock locks a file for this program. The lock lasts until the result is closed or the program
// ends. If another program holds the lock, it returns ErrClaimed.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		switch err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return f, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			err = ErrClaimed
		default:
			return f, nil // this file system does not support locks
		}
		_ = f.Close()
		return nil, err
	}
}
