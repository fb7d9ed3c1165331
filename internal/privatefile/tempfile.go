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

// TempFile is a file that is being written. It has a temporary name until it is complete
// and on the disk: whenever the program or the machine stops, a file of the final name is
// whole or not there.
type TempFile struct {
	*os.File
	dir    *os.Root
	name   string // temporary
	synced bool
}

// CreateTemp creates a file with mode 0600 in an existing directory. Its temporary name is the
// prefix, a number and the suffix; Sweep removes what a killed program leaves. End the
// file with Replace or Publish, and then always with Discard.
func CreateTemp(dir, prefix, suffix string) (*TempFile, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	p, err := createTemp(root, prefix, suffix)
	if err != nil {
		_ = root.Close()
		// The error names the directory: nobody knows the temporary name.
		return nil, &fs.PathError{Op: "create", Path: dir, Err: Reason(err)}
	}
	return p, nil
}

// createTemp keeps the directory open: another directory put in its place changes nothing.
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

// Path returns where the file is while it is being written.
func (p *TempFile) Path() string { return filepath.Join(p.dir.Name(), p.name) }

// Replace syncs the file and gives it a name in its directory, in place of a file or
// link of that name.
func (p *TempFile) Replace(name string) error {
	return p.commit(name, func() error { return p.dir.Rename(p.name, name) })
}

// Publish syncs the file and gives it a name in its directory that nothing has. If the
// name is taken, the error is fs.ErrExist, and the file can be published under another.
func (p *TempFile) Publish(name string) error {
	return p.commit(name, func() error {
		// A link, unlike a rename, never replaces a file.
		err := p.dir.Link(p.name, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
		return p.publishWithoutLinks(name)
	})
}

// publishWithoutLinks is for file systems without hard links, as on a memory stick. It
// takes the name with an empty file first: of two programs only one gets it.
func (p *TempFile) publishWithoutLinks(name string) error {
	placeholder, err := p.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(placeholder.Close(), p.dir.Rename(p.name, name)); err != nil {
		return errors.Join(err, p.dir.Remove(name))
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

// sync writes the content to the disk, once.
func (p *TempFile) sync() error {
	if p.synced {
		return nil
	}
	p.synced = true
	return errors.Join(p.Sync(), p.Close())
}

// Discard removes what has the temporary name. A file that was given its final name stays.
func (p *TempFile) Discard() {
	_ = p.Close()
	_ = p.dir.Remove(p.name)
	_ = p.dir.Close()
}

// syncDirectory makes a new name survive a power failure. Windows has no such call, and
// some file systems neither have nor need it.
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

// Sweep removes the partial files that killed programs left in a directory: regular files
// of the current user, last written more than an hour before now, whose names are the
// prefix, a number and the suffix. Another program may still be writing a younger one.
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
