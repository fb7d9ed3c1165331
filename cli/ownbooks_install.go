package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"tarmac/cli/backupfile"
	"tarmac/internal/privatefile"
)

// maxKept is the length of the longest name in a commitFile.
const maxKept = 64

// finishRestore puts the files of a staging directory in their places, if its commitFile says that
// they are complete. It can be repeated after a kill at any moment: a file is removed from the
// directory when it is in its place. The books come last, because other files belong to them.
func (o ownBooks) finishRestore(staging string) error {
	content, err := privatefile.Read(filepath.Join(staging, commitFile), maxKept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	kept := string(content)
	if err != nil || !strings.HasPrefix(kept, "books-replaced-") || kept != filepath.Base(kept) {
		return errors.Join(err, errors.New("its list is damaged"))
	}
	release, err := o.exclude(context.Background())
	if err != nil {
		return err
	}
	// Windows cannot replace an open file.
	if runtime.GOOS == "windows" {
		err = release()
		release = func() error { return nil }
	}
	if err == nil {
		err = o.install(staging, kept)
	}
	return errors.Join(err, release())
}

func (o ownBooks) install(staging, kept string) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	kept = filepath.Join(filepath.Dir(path), kept)
	names := []string{backupfile.Rules, backupfile.Plan, backupfile.Settings, backupfile.Key}
	state, err := os.ReadDir(filepath.Join(staging, backupfile.StateFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range state {
		names = append(names, backupfile.StateFolder+e.Name())
	}
	if _, err := os.Stat(filepath.Join(staging, backupfile.Books)); err == nil && o.exist() {
		if err := keep(path+".key", filepath.Join(kept, backupfile.Key)); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := o.installSmall(staging, name, kept); err != nil {
			return err
		}
	}
	return installBooks(filepath.Join(staging, backupfile.Books), path, kept)
}

// keep copies a small file to a name that is not taken. It does nothing if there is no such file,
// or if the name is taken.
func keep(path, to string) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := privatefile.Create(to, content); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// installSmall puts a file of a backup in its place, and keeps another one that is there. Settings
// that are there stay.
func (o ownBooks) installSmall(staging, name, kept string) error {
	from := filepath.Join(staging, filepath.FromSlash(name))
	content, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the backup has none, or it is in its place
	}
	if err != nil {
		return err
	}
	target, err := o.targetOf(name)
	if err != nil {
		return err
	}
	target = privatefile.Target(target)
	there, err := os.ReadFile(target)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && (name == backupfile.Settings || bytes.Equal(there, content)):
		return os.Remove(from)
	case err == nil:
		if err := keep(target, filepath.Join(kept, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	if err := privatefile.Write(target, content); err != nil {
		return err
	}
	return os.Remove(from)
}

// installBooks moves the books to their path. Books that are there are kept, with their log if they
// are damaged, so that nobody could close it.
func installBooks(from, path, kept string) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(path); err == nil {
		if err := os.MkdirAll(kept, 0o700); err != nil {
			return err
		}
		old := filepath.Join(kept, backupfile.Books)
		// Until the books are replaced, they have both names.
		if err := os.Link(path, old); err != nil && !errors.Is(err, fs.ErrExist) {
			if err := os.Rename(path, old); err != nil {
				return err
			}
		}
		for _, ending := range [...]string{"-wal", "-shm", "-journal"} {
			if err := os.Rename(path+ending, old+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return privatefile.Move(from, path)
}
