package privatefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tarmac/internal/termtext"
)

// Write replaces the file at path with a file that has the given content and mode 0600. If the
// directory is missing, Write creates it with mode 0700. Even if the program or the machine stops
// at any time, path is either the old file or the complete new one. A symbolic link at path is
// replaced, and its target remains unchanged.
func Write(path string, content []byte) error {
	return write(path, copying(content), (*TempFile).Replace)
}

// Create writes a new file as Write does. If there is already a file at path, it returns
// fs.ErrExist and changes nothing.
func Create(path string, content []byte) error {
	return write(path, copying(content), (*TempFile).Publish)
}

// Stream writes a file whose content the function fill writes piece by piece. It replaces a file at
// path as Write does if replace is set, and otherwise refuses as Create does. If fill returns an
// error, Stream returns it and leaves path unchanged.
func Stream(path string, replace bool, fill func(io.Writer) error) error {
	commit := (*TempFile).Publish
	if replace {
		commit = (*TempFile).Replace
	}
	return write(path, fill, commit)
}

func copying(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// TempPrefix returns the beginning of the temporary names that Write and Create use for the file at
// path. There is no suffix. Files with such names that a killed program left are removed with
// Sweep.
func TempPrefix(path string) string { return "." + filepath.Base(path) + "-" }

func write(path string, fill func(io.Writer) error, commit func(*TempFile, string) error) error {
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
	out := bufio.NewWriter(partial)
	if err := fill(out); err != nil {
		return ofPath(path, err)
	}
	if err = out.Flush(); err == nil {
		err = commit(partial, filepath.Base(path))
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// Append opens a file, such as a log, for appending. If it does not exist, Append creates it with
// mode 0600. It returns an error for a symbolic link, and for a file that is not regular, belongs
// to another user or can be accessed by others.
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

// ofPath returns err with the path if it is an error of writing the file. Other errors of the
// content do not concern the file.
func ofPath(path string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return unwritable(path, err)
	}
	return err
}

func unwritable(path string, err error) error {
	return fmt.Errorf("%s cannot be written: %w", termtext.Line(path), Reason(err))
}

// Target returns the path to which a symbolic link at path leads. Write can then replace that file
// and preserve the link. If there is no link, or it is broken, Target returns path.
func Target(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// Move renames a file to a path on the same file system and replaces a file there. It returns when
// the new name is on disk.
func Move(from, path string) error {
	if err := os.Rename(from, path); err != nil {
		return unwritable(path, err)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return unwritable(path, err)
	}
	return errors.Join(syncDirectory(root), root.Close())
}
