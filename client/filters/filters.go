// Package filters saves the filters of pages in a file that only its owner can read, so that they
// outlive the session. Each organization on each server has a file of its own. Search texts may be
// private, so errors never contain the content of the file.
package filters

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"tarmac/client/draft"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// version is the version of the file format. Load refuses files with a later version.
const version = 1

// largest is the maximum size of the file, in bytes. longest is the maximum length of one text, in
// characters.
const (
	largest = 64 << 10
	longest = 200
)

// Reasons why a file could not be read.
var (
	ErrNewer   = errors.New("it was written by a newer version of tarmac")
	ErrDamaged = errors.New("the file is damaged: remove it to save filters again")
)

// Filter is the filter of one page. Empty texts restrict nothing. A page must check each text like
// one that a user types.
type Filter struct {
	Direction string `json:"direction,omitempty"` // direction of transactions
	Dates     string `json:"dates,omitempty"`     // period, such as 2026-01-01..2026-03-31
	Text      string `json:"text,omitempty"`      // search text
	Type      string `json:"type,omitempty"`      // type of event, or a family such as invoice.*
}

// Set holds the filters of pages by the names of the pages. Pages without a filter are left out.
type Set map[string]Filter

// File is the file with the filters of one organization. It is safe for concurrent use. If several
// programs write the same file, the last one wins.
type File struct {
	path     string
	mu       sync.Mutex
	sequence uint64
}

// prefix is the beginning of the names of all filter files.
const prefix = "filters-"

// NewFile returns the filter file of an organization in a directory. organization is a key made by
// draft.OrgKey.
func NewFile(directory, organization string) *File {
	return &File{path: filepath.Join(directory, prefix+draft.FileName(organization)+".json")}
}

// content is the content of the file.
type content struct {
	Version int `json:"version"`
	Pages   Set `json:"pages"`
}

// Load returns the saved filters. If there is no file, it returns an empty Set. It leaves out texts
// that are too long to have been typed.
func (f *File) Load() (Set, error) { return load(f.path) }

func load(path string) (Set, error) {
	data, err := privatefile.Read(path, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, nil
	}
	if err != nil {
		return nil, err
	}
	var c content
	switch err := json.Unmarshal(data, &c); {
	case err == nil && c.Version > version:
		return nil, fmt.Errorf("%s: %w", termtext.Line(path), ErrNewer)
	case err != nil, c.Version < 1:
		return nil, fmt.Errorf("%s: %w", termtext.Line(path), ErrDamaged)
	}
	set := Set{}
	for page, filter := range c.Pages {
		for _, text := range []*string{&filter.Direction, &filter.Dates, &filter.Text, &filter.Type} {
			if *text = termtext.Line(*text); len([]rune(*text)) > longest {
				*text = ""
			}
		}
		if filter != (Filter{}) {
			set[page] = filter
		}
	}
	return set, nil
}

// Save stores the filters and returns when they are on disk. If the set is empty, it removes the
// file. Concurrent calls may run in any order, so callers number their calls with sequence. If a
// call with a higher number has already run, Save does nothing.
func (f *File) Save(sequence uint64, set Set) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if sequence <= f.sequence {
		return nil
	}
	f.sequence = sequence
	if len(set) == 0 {
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s cannot be removed: %w", termtext.Line(f.path), privatefile.Reason(err))
		}
		return nil
	}
	data, err := json.Marshal(content{version, set})
	if err != nil {
		return err
	}
	return privatefile.Write(f.path, append(data, '\n'))
}

// Check reads all filter files in a directory. It returns their number, and the error of the first
// one that cannot be read.
func Check(directory string) (files int, err error) {
	found, err := filepath.Glob(filepath.Join(directory, prefix+"*.json"))
	if err != nil {
		return 0, err
	}
	for _, path := range found {
		if _, unreadable := load(path); unreadable != nil && err == nil {
			err = unreadable
		}
	}
	return len(found), err
}
