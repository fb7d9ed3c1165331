// Package export writes records as comma-separated values, and to files: transactions as they
// arrive, lists that are in memory at once, as CSV for spreadsheets or as JSON with the API's
// own field names. The file has its name when it is whole, and never before; nothing is
// overwritten.
package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/record"
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
	part   *privatefile.Partial // nil once it is whole or given up
	buffer *bufio.Writer
	list   list
	row    record.Object // used again for each
}

// list writes records in one of the formats.
type list interface {
	Add(record.Object) error
	End() error
}

type csvList struct{ *Sheet }

func (l csvList) End() error { return l.Flush() }

type jsonList struct{ *record.JSON }

func (l jsonList) End() error { return l.JSON.End(nil) }

func newList(format Format, w io.Writer, sample record.Object) (list, error) {
	if format == JSON {
		l, err := record.NewJSON(w, false)
		return jsonList{l}, err
	}
	s, err := NewSheet(w, sample)
	return csvList{s}, err
}

// Create begins a file of transactions, readable by its owner alone. Its error matches
// fs.ErrExist where something of the name is there already. What programs left an hour ago
// or earlier that were killed in the middle is removed from the directory.
func Create(path string) (*File, error) {
	return create(path, record.Transaction(apiclient.Transaction{}))
}

// Write writes records to a file and returns where it is, as Create and Commit do; the
// sample says which columns there are without records, too. After an error nothing is left,
// nor where the context ended before the file was whole.
func Write(ctx context.Context, path string, sample record.Object, records []record.Object) (string, error) {
	f, err := create(path, columns(sample, records))
	if err != nil {
		return "", err
	}
	for i := 0; err == nil && i < len(records); i++ {
		err = f.list.Add(records[i])
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		f.Discard()
		return "", err
	}
	return f.Commit()
}

// columns returns the sample with a column more for each field that a server sends beside
// those it has.
func columns(sample record.Object, records []record.Object) record.Object {
	sample = slices.Clone(sample)
	for _, o := range records {
		for i := range o {
			if sample.Get(o[i].Name).Name == "" {
				sample = append(sample, record.Text(o[i].Name, "", ""))
			}
		}
	}
	return sample
}

func create(path string, sample record.Object) (*File, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	f, err := createPart(path)
	if err != nil {
		return nil, err
	}
	if f.list, err = newList(format, f.buffer, sample); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

func createPart(path string) (*File, error) {
	dir := filepath.Dir(path)
	privatefile.Sweep(dir, unfinishedPrefix, unfinishedSuffix, time.Now())
	if _, err := os.Lstat(path); err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	part, err := privatefile.Begin(dir, unfinishedPrefix, unfinishedSuffix)
	if err != nil {
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
		f.row = record.AppendTransaction(f.row[:0], &rows[i])
		if err := f.list.Add(f.row); err != nil {
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
	defer part.Discard()
	if err = f.list.End(); err == nil {
		err = f.buffer.Flush()
	}
	if err != nil {
		return "", err
	}
	for n := 1; n <= download.MostNames; n++ {
		path = download.Numbered(f.path, n)
		if err = part.Publish(filepath.Base(path)); !errors.Is(err, fs.ErrExist) {
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
	f.part.Discard()
	f.part = nil
}
