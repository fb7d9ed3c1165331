package draft

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock takes a file for this program; errTaken when another has it. The system lets
// go of it when the program ends, however it does.
func lock(path string) (io.Closer, error) {
	const sharingViolation = syscall.Errno(32)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(
		name,
		syscall.GENERIC_READ|syscall.GENERIC_WRITE,
		0,
		nil,
		syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL,
		0,
	)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, errTaken
	case err != nil:
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}
