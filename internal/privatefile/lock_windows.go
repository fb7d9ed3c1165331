package privatefile

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Lock locks a file for this program and creates it if it does not exist. The lock lasts until the
// result is closed or the program ends. The error is ErrLocked if another program holds the lock.
func Lock(path string) (io.Closer, error) {
	const sharingViolation = syscall.Errno(32)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, ErrLocked
	case err != nil:
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}
