// Package download saves documents in the user's directory for downloads and opens them in the
// system's viewer. It writes a file completely or not at all, and never overwrites one.
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

// MostNames is the largest number that Numbered appends to a file name, so the number of names that
// are tried.
const MostNames = 999

// Save writes a document to a file that only its owner can read. If the name is taken, it tries
// "NAME (2).pdf" and so on. If a file with one of these names has the same content, Save returns
// its path and existed is true. If the program is killed, the complete file or none exists. A
// temporary file may remain; Save removes such files once they are more than an hour old.
func Save(dir, name string, document []byte) (path string, existed bool, err error) {
	privatefile.Sweep(dir, tempPrefix, tempSuffix, time.Now())
	for n := 1; n <= MostNames; n++ {
		path = filepath.Join(dir, Numbered(name, n))
		if same(path, document) {
			return path, true, nil
		}
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		err = writeNew(path, document)
		if !errors.Is(err, fs.ErrExist) {
			return path, false, err
		}
	}
	return "", false, fmt.Errorf("%s already holds %d files called %s; move some away", dir, MostNames, name)
}

// tempPrefix and tempSuffix are the beginning and the end of the names of temporary files. Random
// digits are between them.
const tempPrefix, tempSuffix = ".tarmac-", ".part"

// Numbered returns the name that a file gets at the nth try, such as "NAME (2).pdf" at the second.
func Numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	extension := filepath.Ext(path)
	return fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, extension), n, extension)
}

// same reports whether the file at path has exactly the content of document.
func same(path string, document []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(document)) {
		return false
	}
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, document)
}

// writeNew writes the document to a new file with mode 0600. If the name is taken, it returns
// fs.ErrExist.
func writeNew(path string, document []byte) error {
	partial, err := privatefile.CreateTemp(filepath.Dir(path), tempPrefix, tempSuffix)
	if err != nil {
		return &fs.PathError{Op: "create", Path: path, Err: privatefile.Reason(err)}
	}
	defer partial.Discard()
	if _, err := partial.Write(document); err != nil {
		return err
	}
	return partial.Publish(filepath.Base(path))
}

// Name makes a file name from text that cannot be trusted. All characters but ASCII letters,
// digits, "-" and "_" become "-". If no letter or digit remains, it uses fallback instead.
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
