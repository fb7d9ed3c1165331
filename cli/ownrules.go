package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tarmac/cli/books"
	"tarmac/client/settings"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
)

// rulesFile is the file beside the settings in which the user keeps the rules of own books. It
// implements bookkeeping.RulesFile.
type rulesFile string

// rulesFile returns the file with the rules of own books. It returns nil if there is no directory
// for it; the rules are then only in the database.
func (o ownBooks) rulesFile() bookkeeping.RulesFile {
	dir, err := settings.ConfigDirectory(o.Getenv)
	if err != nil {
		return nil
	}
	return rulesFile(filepath.Join(dir, "rules.toml"))
}

func (f rulesFile) Path() string { return string(f) }

// Read returns the content of the file. It returns "" if there is no file. Others may read the
// file, because it contains no secrets.
func (f rulesFile) Read() (string, error) {
	// O_NONBLOCK keeps the opening of a pipe from blocking until another process writes to it.
	file, err := os.OpenFile(f.Path(), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", f.unreadable(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return "", f.unreadable(err)
	case !info.Mode().IsRegular():
		return "", f.unreadable(errors.New("it is no regular file"))
	}
	text, err := io.ReadAll(io.LimitReader(file, books.MaxRules+1))
	switch {
	case err != nil:
		return "", f.unreadable(err)
	case len(text) > books.MaxRules:
		return "", f.unreadable(fmt.Errorf("it is larger than %d KiB", books.MaxRules>>10))
	}
	return string(text), nil
}

func (f rulesFile) unreadable(err error) error {
	return fmt.Errorf("%s cannot be read: %w", termtext.Line(f.Path()), privatefile.Reason(err))
}

// Write replaces the content of the file. If the path is a symbolic link, the link stays and its
// target is replaced.
func (f rulesFile) Write(text string) error {
	return privatefile.Write(privatefile.Target(f.Path()), []byte(text))
}
