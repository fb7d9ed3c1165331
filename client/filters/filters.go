// Package filters saves the filters of pages in a state.Folder, so that they outlive the session.
// Each organization on each server has a file of its own. Search texts may be private, so errors
// never contain the content of the file.
package filters

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"tarmac/client/draft"
	"tarmac/client/state"
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
	folder   state.Folder
	name     string
	mu       sync.Mutex
	sequence uint64
}

// prefix and suffix are the beginning and the end of the names of all filter files.
const (
	prefix = "filters-"
	suffix = ".json"
)

// NewFile returns the filter file of an organization in a folder. organization is a key made by
// draft.OrgKey.
func NewFile(folder state.Folder, organization string) *File {
	return &File{folder: folder, name: prefix + draft.FileName(organization) + suffix}
}

// content is the content of the file.
type content struct {
	Version int `json:"version"`
	Pages   Set `json:"pages"`
}

// Load returns the saved filters. If there is no file, it returns an empty Set. It leaves out texts
// that are too long to have been typed.
func (f *File) Load() (Set, error) { return load(f.folder, f.name) }

func load(folder state.Folder, name string) (Set, error) {
	data, err := folder.Read(name, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, nil
	}
	if err != nil {
		return nil, err
	}
	var c content
	switch err := json.Unmarshal(data, &c); {
	case err == nil && c.Version > version:
		return nil, fmt.Errorf("%s: %w", folder.Path(name), ErrNewer)
	case err != nil, c.Version < 1:
		return nil, fmt.Errorf("%s: %w", folder.Path(name), ErrDamaged)
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
		return f.folder.Remove(f.name)
	}
	data, err := json.Marshal(content{version, set})
	if err != nil {
		return err
	}
	return f.folder.Write(f.name, append(data, '\n'))
}

// Check reads all filter files in a folder. It returns their number, and the error of the first one
// that cannot be read.
func Check(folder state.Folder) (files int, err error) {
	names, err := folder.List(prefix)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		files++
		if _, unreadable := load(folder, name); unreadable != nil && err == nil {
			err = unreadable
		}
	}
	return files, err
}
