package privatefile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// TempFile is a file that is being written under a temporary name. It gets its final name only when
// its content is on disk. Even if the program or the machine stops at any time, the file with the
// final name is complete or does not exist.
type TempFile struct {
	*os.File
	dir    *os.Root
	name   string // temporary name
	synced bool
}

// CreateTemp creates a file with mode 0600 in an existing directory. Its temporary name consists of
// prefix, a random number and suffix, so that Sweep can remove files left by a killed program. The
// caller calls Replace or Publish to complete the file, and Discard in any case.
func CreateTemp(dir, prefix, suffix string) (*TempFile, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	p, err := createTemp(root, prefix, suffix)
	if err != nil {
		_ = root.Close()
		// The error names the directory, because users do not know the temporary name.
		return nil, &fs.PathError{Op: "create", Path: dir, Err: Reason(err)}
	}
	return p, nil
}

// createTemp creates the file in an open directory. If another directory is moved to the same path
// in the meantime, the file is still in the one that was opened.
func createTemp(dir *os.Root, prefix, suffix string) (*TempFile, error) {
	for tries := 100; ; tries-- {
		name := fmt.Sprintf("%s%d%s", prefix, rand.Uint64(), suffix)
		f, err := dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return &TempFile{File: f, dir: dir, name: name}, nil
		}
		if tries == 0 || !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// Path returns the temporary path of the file.
func (p *TempFile) Path() string { return filepath.Join(p.dir.Name(), p.name) }

// Replace syncs the file and renames it to name in the same directory. It replaces a file or
// symbolic link with that name.
func (p *TempFile) Replace(name string) error {
	return p.commit(name, func() error { return p.dir.Rename(p.name, name) })
}

// Publish syncs the file and renames it to name in the same directory. If the name is taken, it
// returns fs.ErrExist, and the caller may try another name.
func (p *TempFile) Publish(name string) error {
	return p.commit(name, func() error { return publish(p.dir, p.name, name) })
}

// publish renames or links a file to a name that is free. If the name is taken, it returns
// fs.ErrExist.
func publish(dir *os.Root, from, name string) error {
	// Unlike a rename, a link never replaces a file.
	err := dir.Link(from, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return publishWithoutLinks(dir, from, name)
}

// publishWithoutLinks does what publish does, on file systems without hard links, such as FAT. It
// first creates an empty file with the name. If two programs do so at the same time, only one of
// them gets the name.
func publishWithoutLinks(dir *os.Root, from, name string) error {
	placeholder, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(placeholder.Close(), dir.Rename(from, name)); err != nil {
		return errors.Join(err, dir.Remove(name))
	}
	return nil
}

func (p *TempFile) commit(name string, rename func() error) error {
	err := p.sync()
	if err == nil {
		err = rename()
	}
	if err == nil {
		err = syncDirectory(p.dir)
	}
	if err != nil {
		return &fs.PathError{Op: "write", Path: filepath.Join(p.dir.Name(), name), Err: Reason(err)}
	}
	return nil
}

// sync writes the content to disk and closes the file. Only the first call has an effect.
func (p *TempFile) sync() error {
	if p.synced {
		return nil
	}
	p.synced = true
	return errors.Join(p.Sync(), p.Close())
}

// Discard closes the file and removes its temporary name. After Replace or Publish, the file
// remains under its final name.
func (p *TempFile) Discard() {
	_ = p.Close()
	_ = p.dir.Remove(p.name)
	_ = p.dir.Close()
}

// syncDirectory writes a directory to disk, so that a new name survives a power failure. Windows
// and some file systems cannot do this.
func syncDirectory(root *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

// Sweep removes temporary files that killed programs have left in a directory: regular files of the
// current user whose names consist of prefix, a number and suffix. It leaves files that were
// written within an hour before now, because another program may still be writing them.
func Sweep(dir, prefix, suffix string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, begins := strings.CutPrefix(e.Name(), prefix)
		number, ends := strings.CutSuffix(number, suffix)
		if !begins || !ends || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !IsOwn(info) || now.Sub(info.ModTime()) <= time.Hour {
			continue
		}
		_ = os.Remove(filepath.Join(dir, e.Name()))
	}
}
