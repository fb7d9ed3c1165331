// Package download saves documents in the user's directory for downloads and opens them
// with the system's viewer. It writes atomically and never overwrites a file.
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

// MostNames limits the number that Numbered appends to a file's name.
const MostNames = 999

// Save writes a document to a file that only its owner can read. If another file has the
// name, it takes "NAME (2).pdf" and so on. If one of these files has the same content, Save
// returns its path and sets existed. A killed program leaves the complete file or none; a
// temporary file that it leaves is removed by the first Save over an hour later.
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

// tempPrefix and tempSuffix enclose random digits in the names of temporary
// files.
const tempPrefix, tempSuffix = ".tarmac-", ".part"

// Numbered returns the nth name for a file: "NAME (2).pdf" for the second.
func Numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	extension := filepath.Ext(path)
	return fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, extension), n, extension)
}

// same reports whether a file contains exactly the document.
func same(path string, document []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(document)) {
		return false
	}
	there, err := os.ReadFile(path)
	return err == nil && bytes.Equal(there, document)
}

// writeNew writes the document to a new file with mode 0600. It returns fs.ErrExist if the
// name is taken.
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

// Name returns a file name for untrusted text: every character other than an ASCII letter, a digit,
// "-" and "_" becomes "-". fallback replaces text that has no such letter or digit.
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
