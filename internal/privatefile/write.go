package privatefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tarmac/internal/termtext"
)

// Write replaces the file at path by one with the content, mode 0600, making its
// directory with mode 0700 where there is none. Whenever the program or the
// machine stops there is either the old file or the whole new one; the part that may
// be left beside it is removed by a Write an hour later. A symbolic link at path is
// replaced and what it leads to left alone.
func Write(path string, content []byte) error {
	return place(path, content, (*os.Root).Rename)
}

// Create is Write for a file that must not be there yet; when something is at path
// the error is fs.ErrExist and nothing has changed.
func Create(path string, content []byte) error {
	// A link, unlike a rename, never replaces what is there.
	return place(path, content, (*os.Root).Link)
}

// place writes the content to a new file beside path and gives it the name when it is
// whole and on the disk. The directory is opened once: whoever can exchange it
// meanwhile, because what holds it is theirs, exchanges nothing.
func place(path string, content []byte, name func(dir *os.Root, from, to string) error) error {
	dir, base := filepath.Dir(path), filepath.Base(path)
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
	Sweep(dir, "."+base+"-", "", time.Now())
	partial, err := prepare(root, base, content)
	if err != nil {
		return unwritable(path, err)
	}
	err = name(root, partial, base)
	_ = root.Remove(partial) // after a rename there is none
	if err != nil {
		return unwritable(path, err)
	}
	settle(root)
	return nil
}

// prepare writes the content to a new file, mode 0600, and on to the disk.
func prepare(root *os.Root, base string, content []byte) (partial string, err error) {
	var f *os.File
	for range 100 {
		partial = fmt.Sprintf(".%s-%d", base, rand.Uint64())
		f, err = root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = root.Remove(partial)
		return "", err
	}
	return partial, nil
}

// settle makes the new name outlast a loss of power, where directories can be
// synced.
func settle(root *os.Root) {
	if dir, err := root.Open("."); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// Append opens a file for text that grows, such as a log: one that is there already if
// it is a regular file, belongs to whoever runs the program and nobody else can read
// it, and else a new one with mode 0600. A symbolic link is not followed.
func Append(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link: name the file that it leads to", termtext.Line(path))
	}
	// Without blocking, so that a pipe which nobody reads is refused instead of waited for.
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
	return fmt.Errorf("%s cannot be written: %w", termtext.Line(path), reason(err))
}

// Target returns what a chain of symbolic links at path leads to, so that Write
// replaces the file and keeps the links of whoever manages theirs that way; path
// itself where there is no link, or nothing at its end.
func Target(path string) string {
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}
