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
	const sharingViolation = syscall.Errno(32)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, ErrClaimed
	case err != nil:
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}
