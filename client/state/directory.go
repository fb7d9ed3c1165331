package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// Directory returns a Folder that stores each content in a file of the directory at path, which
// need not exist yet. Only the current user can read the files. A directory to which other users
// can write is refused. An empty path means that nothing is saved: the result is nil.
func Directory(path string) Folder {
	if path == "" {
		return nil
	}
	return directory(path)
}

type directory string

func (d directory) file(name string) string { return filepath.Join(string(d), name) }

// Path implements Folder.
func (d directory) Path(name string) string { return termtext.Line(d.file(name)) }

// Read implements Folder. It also removes partial files that a killed program left more than an
// hour ago.
func (d directory) Read(name string, limit int) ([]byte, error) {
	if err := privatefile.CheckDirectory(string(d)); err != nil {
		return nil, err
	}
	privatefile.Sweep(string(d), privatefile.TempPrefix(d.file(name)), "", time.Now())
	return privatefile.Read(d.file(name), limit)
}

// Write implements Folder.
func (d directory) Write(name string, content []byte) error {
	return privatefile.Write(d.file(name), content)
}

// Remove implements Folder.
func (d directory) Remove(name string) error {
	if err := os.Remove(d.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be removed: %w", d.Path(name), privatefile.Reason(err))
	}
	return nil
}

// Rename implements Folder.
func (d directory) Rename(from, to string) error {
	if err := os.Rename(d.file(from), d.file(to)); err != nil {
		return fmt.Errorf("%s cannot be renamed: %w", d.Path(from), privatefile.Reason(err))
	}
	return nil
}

// List implements Folder.
func (d directory) List(prefix string) ([]string, error) {
	entries, err := os.ReadDir(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, directoryError(err)
	}
	if err := privatefile.CheckDirectory(string(d)); err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// Claim implements Folder with a lock on a file beside the content. If that file cannot be created,
// for example on a full or read-only disk, the name is not reserved: its content can still be read.
func (d directory) Claim(name string) (release func() error, err error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, directoryError(err)
	}
	if err := privatefile.CheckDirectory(string(d)); err != nil {
		return nil, err
	}
	held, err := privatefile.Lock(d.file("." + strings.TrimSuffix(name, filepath.Ext(name)) + ".lock"))
	switch {
	case errors.Is(err, privatefile.ErrLocked):
		return nil, ErrClaimed
	case err != nil:
		return func() error { return nil }, nil
	}
	return held.Close, nil
}

// directoryError says why the directory cannot be read or created, and what to do about it.
func directoryError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", termtext.Line(path.Path), path.Err)
	}
	return fmt.Errorf("%w; choose another directory with XDG_STATE_HOME", err)
}
