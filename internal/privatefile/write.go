package privatefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tarmac/internal/termtext"
)

// Write replaces the file at path by one with the content and mode 0600. It creates the directory
// with mode 0700 if needed. If the program or the machine stops at any time, path has either
// the old file or the complete new one. Write replaces a symbolic link at path and leaves its
// target unchanged.
func Write(path string, content []byte) error {
	return write(path, content, (*TempFile).Replace)
}

// Create is like Write, but returns fs.ErrExist and changes nothing if path exists.
func Create(path string, content []byte) error {
	return write(path, content, (*TempFile).Publish)
}

// TempPrefix returns the prefix of the temporary names of the file at path, which Write
// and Create remove with Sweep. They have no suffix.
func TempPrefix(path string) string { return "." + filepath.Base(path) + "-" }

func write(path string, content []byte, commit func(*TempFile, string) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unwritable(path, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return unwritable(path, err)
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(".")
	if err == nil {
		err = checkDirectory(dir, info)
	}
	if err != nil {
		return unwritable(path, err)
	}
	Sweep(dir, TempPrefix(path), "", time.Now())
	partial, err := createTemp(root, TempPrefix(path), "")
	if err != nil {
		return unwritable(path, err)
	}
	defer partial.Discard()
	if _, err = partial.Write(content); err == nil {
		err = commit(partial, filepath.Base(path))
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// Append opens a file for appending, such as a log, or creates it with mode 0600. It returns an
// error for symbolic links, and for existing files that are not regular, belong to another user
// or can be accessed by others.
func Append(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link: name the file that it leads to", termtext.Line(path))
	}
	// O_NONBLOCK keeps the opening of a pipe from blocking until somebody reads from it.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK|noFollow, 0o600)
	if err != nil {
		return nil, unwritable(path, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = checkFile(path, info)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func unwritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", termtext.Line(path), Reason(err))
}

// Target returns the file that a symbolic link at path leads to, so that Write can replace the file
// and keep the link. It returns path if there is no link or the link is broken.
func Target(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}
