// Package export writes records as CSV or JSON, with the field names of the API, to writers and
// files. It writes transactions page by page, and other lists at once. A file appears only when it
// is complete, and never replaces another.
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
	"tarmac/client/annotations"
	"tarmac/client/download"
	"tarmac/client/record"
	"tarmac/internal/privatefile"
)

// tempPrefix and tempSuffix are the beginning and the end of the names of temporary files. Random
// digits are between them.
const tempPrefix, tempSuffix = ".tarmac-export-", ".part"

var errCanceled = errors.New("the export was canceled")

// Format is the format of an exported file.
type Format int

// Values of Format.
const (
	CSV Format = iota
	JSON
)

// FormatOf returns the format that the extension of a path stands for.
func FormatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return CSV, nil
	case ".json":
		return JSON, nil
	}
	return 0, errors.New("the file name must end in .csv or .json")
}

// File is a file of transactions that is being written. It is safe for concurrent use, so that one
// goroutine can call Discard while another writes.
type File struct {
	mu     sync.Mutex
	path   string
	temp   *privatefile.TempFile // nil after Commit or Discard
	buffer *bufio.Writer
	list   recordWriter
	row    record.Object // reused for each transaction
	known  Annotated     // nil without columns for categories and notes
}

// recordWriter writes records as CSV or JSON.
type recordWriter interface {
	Add(record.Object) error
	End() error
}

type csvRecords struct{ *CSVWriter }

func (l csvRecords) End() error { return l.Flush() }

type jsonRecords struct{ *record.JSONWriter }

func (l jsonRecords) End() error { return l.JSONWriter.End(nil) }

func newRecordWriter(format Format, w io.Writer, sample record.Object) (recordWriter, error) {
	if format == JSON {
		l, err := record.NewJSONWriter(w, false)
		return jsonRecords{l}, err
	}
	s, err := NewCSVWriter(w, sample)
	return csvRecords{s}, err
}

// Create starts a file of transactions, whose totals are in a currency, that only its owner can
// read. If there is already a file at path, it returns fs.ErrExist. It also removes temporary files
// that killed programs left in the same directory more than an hour ago.
func Create(path, currency string, known Annotated) (*File, error) {
	sample := record.TransactionIn(currency)
	if known != nil {
		sample = sample.Annotated(annotations.Known{})
	}
	f, err := create(path, sample)
	if f != nil {
		f.known = known
	}
	return f, err
}

// Annotated returns the category and the note of a transaction.
type Annotated func(*apiclient.Transaction) annotations.Known

// Write writes records to a new file and returns its path. The rules of Create and Commit apply.
// The fields of sample are the columns of a CSV file. After an error, or if ctx is cancelled, no
// file remains.
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

// columns returns sample with the additional fields that some of the records have. The API does not
// define these.
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
	f, err := createTemp(path)
	if err != nil {
		return nil, err
	}
	if f.list, err = newRecordWriter(format, f.buffer, sample); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

func createTemp(path string) (*File, error) {
	dir := filepath.Dir(path)
	privatefile.Sweep(dir, tempPrefix, tempSuffix, time.Now())
	if _, err := os.Lstat(path); err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	part, err := privatefile.CreateTemp(dir, tempPrefix, tempSuffix)
	if err != nil {
		return nil, err
	}
	return &File{path: path, temp: part, buffer: bufio.NewWriter(part)}, nil
}

// Add writes transactions to the file. It leaves out those that could not be decoded.
func (f *File) Add(rows []apiclient.Transaction) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temp == nil {
		return errCanceled
	}
	for i := range rows {
		if rows[i].Unreadable != nil {
			continue
		}
		f.row = record.AppendTransaction(f.row[:0], &rows[i])
		if f.known != nil {
			f.row = f.row.Annotated(f.known(&rows[i]))
		}
		if err := f.list.Add(f.row); err != nil {
			return err
		}
	}
	return nil
}

// Commit completes the file and returns its path. If another program has created a file with this
// name since Create, Commit uses "NAME (2).csv" and so on. After an error, no file remains.
func (f *File) Commit() (path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temp == nil {
		return "", errCanceled
	}
	part := f.temp
	f.temp = nil
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
	return "", fmt.Errorf("%d files of that name already exist; move some away", download.MostNames)
}

// Discard removes an unfinished file. It does nothing after Commit.
func (f *File) Discard() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.temp == nil {
		return
	}
	f.temp.Discard()
	f.temp = nil
}
