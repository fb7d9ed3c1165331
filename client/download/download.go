// Package download puts documents where a person finds them: in a directory of
// theirs, whole or not at all, beside what is there already, and opens them with
// the system's own program.
package download

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/internal/privatefile"
)

// MostNames is how many files of one name are put beside each other.
const MostNames = 999

// Save writes a document as a file of the given name in a directory, readable by
// its owner alone. Nothing is overwritten: where another file has the name, "NAME
// (2).pdf" is taken, and so on; where the very same document is there already, that
// file is returned and kept is true. A program that ends in the middle leaves no
// file of the name, or the whole one; the part of it is removed by a Save an hour later.
func Save(dir, name string, document []byte) (path string, kept bool, err error) {
	privatefile.Sweep(dir, unfinishedPrefix, unfinishedSuffix, time.Now())
	for n := 1; n <= MostNames; n++ {
		path = filepath.Join(dir, Numbered(name, n))
		if same(path, document) {
			return path, true, nil
		}
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		err = place(dir, path, document)
		if !errors.Is(err, fs.ErrExist) {
			return path, false, err
		}
	}
	return "", false, fmt.Errorf("%s holds %d files called %s already; move some away", dir, MostNames, name)
}

// The names of files that are not whole are these, with digits between.
const unfinishedPrefix, unfinishedSuffix = ".tarmac-", ".part"

// Numbered returns the name of the nth file of a name: "NAME (2).pdf" for the second.
func Numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	extension := filepath.Ext(path)
	return fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, extension), n, extension)
}

// same reports whether a file holds exactly the document.
func same(path string, document []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(document)) {
		return false
	}
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, document)
}

// place writes the document under a name of its own, with mode 0600, and gives it
// the final one when it is whole and on the disk. Its error is fs.ErrExist when the
// name was taken meanwhile.
func place(dir, path string, document []byte) error {
	file, err := os.CreateTemp(dir, unfinishedPrefix+"*"+unfinishedSuffix)
	if err != nil {
		return err
	}
	part := file.Name()
	defer func() { _ = os.Remove(part) }()
	_, err = file.Write(document)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return RenameNew(part, path)
}

// RenameNew gives a file a name that nothing has yet; its error is fs.ErrExist where
// something has it. The old name may stay too, and is the caller's to remove.
func RenameNew(part, path string) error {
	// A link, unlike renaming, never replaces what has the name.
	err := os.Link(part, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without links, as on a memory stick.
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	return os.Rename(part, path)
}

// Name makes the name of a file with an extension out of text from elsewhere: what
// is neither letter nor digit becomes "-"; fallback stands in for nothing.
func Name(text, fallback, extension string) string {
	clean := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '-', r == '_':
			return r
		}
		return '-'
	}, text), "-_")
	if clean == "" {
		clean = fallback
	}
	return clean[:min(len(clean), 100)] + extension
}
