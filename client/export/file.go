// Package export writes transactions to a file as they arrive, and tables that are in
// memory at once: comma-separated values for spreadsheets, or JSON with the API's own
// field names. The file has its name when it is whole, and never before; nothing is
// overwritten.
package export

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/internal/privatefile"
)

// The names of files that are not whole are these, with digits between.
const unfinishedPrefix, unfinishedSuffix = ".tarmac-export-", ".part"

var errGone = errors.New("the export was given up")

// Format is how the rows are written.
type Format int

// The formats.
const (
	CSV Format = iota
	JSON
)

// FormatOf returns the format that a file's name asks for by its ending.
func FormatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return CSV, nil
	case ".json":
		return JSON, nil
	}
	return 0, errors.New("a name that ends in .csv or .json says the format")
}

// File is an export that is being written. It may be given up by another goroutine
// than the one that writes.
type File struct {
	mu     sync.Mutex
	path   string
	part   *os.File // nil once it is whole or given up
	buffer *bufio.Writer
	rows   encoder // nil where the rows are written already
}

// encoder writes rows in one of the formats.
type encoder interface {
	begin() error
	row(*apiclient.Transaction) error
	end() error
}

// Create begins a file, readable by its owner alone. Its error matches fs.ErrExist
// where something of the name is there already. What programs left an hour ago or
// earlier that were killed in the middle is removed from the directory.
func Create(path string) (*File, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	f, err := create(path)
	if err != nil {
		return nil, err
	}
	f.rows = newCSV(f.buffer)
	if format == JSON {
		f.rows = newJSON(f.buffer)
	}
	if err := f.rows.begin(); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

func create(path string) (*File, error) {
	dir := filepath.Dir(path)
	privatefile.Sweep(dir, unfinishedPrefix, unfinishedSuffix, time.Now())
	if _, err := os.Lstat(path); err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	part, err := os.CreateTemp(dir, unfinishedPrefix+"*"+unfinishedSuffix) // mode 0600
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			at.Path = dir // nobody named the part
		}
		return nil, err
	}
	return &File{path: path, part: part, buffer: bufio.NewWriter(part)}, nil
}

// Add writes rows, without those that could not be read.
func (f *File) Add(rows []apiclient.Transaction) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.part == nil {
		return errGone
	}
	for i := range rows {
		if rows[i].Unreadable != nil {
			continue
		}
		if err := f.rows.row(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// Commit gives the file its name and returns it: where something took the name
// meanwhile, "NAME (2).csv" and so on. After an error nothing is left.
func (f *File) Commit() (path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.part == nil {
		return "", errGone
	}
	part := f.part
	f.part = nil
	defer func() { _ = os.Remove(part.Name()) }()
	if f.rows != nil {
		err = f.rows.end()
	}
	if err == nil {
		err = f.buffer.Flush()
	}
	if err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return "", err
	}
	for n := 1; n <= download.MostNames; n++ {
		path = download.Numbered(f.path, n)
		if err = download.RenameNew(part.Name(), path); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("%d files of the name are there already; move some away", download.MostNames)
}

// Discard gives the file up: nothing of it is left. On one that is whole it does
// nothing.
func (f *File) Discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.part == nil {
		return
	}
	_ = f.part.Close()
	_ = os.Remove(f.part.Name())
	f.part = nil
}
