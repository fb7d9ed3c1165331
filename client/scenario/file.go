package scenario

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"tarmac/client/draft"
	"tarmac/internal/civil"
	"tarmac/internal/privatefile"
)

// version is that of the files written here. Files of a newer program are left alone.
const version = 1

// largest is more than three scenarios take.
const largest = 64 << 10

var errNewer = errors.New("a newer version of the program wrote it")

// File keeps the scenarios of one organization. Turns number the writes as they were decided on:
// one that comes after a later one does nothing.
type File struct {
	path string
	mu   sync.Mutex
	turn uint64
}

// NewFile returns the file for an organization, as draft.Of names it.
func NewFile(directory, organization string) *File {
	return &File{path: filepath.Join(directory, "what-if-"+draft.FileName(organization)+".json")}
}

// content is what is kept: scenarios as somebody would type them on a day, so that whatever
// stands there is read as strictly as typed text.
type content struct {
	Version int          `json:"version"`
	Day     string       `json:"day"`
	Chosen  int          `json:"chosen"`
	WhatIfs [Most]*typed `json:"what_ifs"`
}

type typed struct {
	Fields  [Fields]string `json:"fields"`
	Overdue bool           `json:"overdue"`
}

// Load returns the scenarios that were kept: none where there is no file. A scenario that nobody
// could have typed is left out.
func (f *File) Load() (Set, error) {
	data, err := privatefile.Read(f.path, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return Set{}, nil
	}
	if err != nil {
		return Set{}, err
	}
	var c content
	if err := json.Unmarshal(data, &c); err != nil {
		return Set{}, err
	}
	if c.Version > version {
		return Set{}, errNewer
	}
	return c.set(), nil
}

func (c content) set() Set {
	var set Set
	day, err := civil.Parse(c.Day)
	if err != nil {
		return set
	}
	for slot, t := range c.WhatIfs {
		if t == nil {
			continue
		}
		if one, wrong := (Input{t.Fields, t.Overdue}).Read(day); !wrong.Any() {
			set.Slots[slot] = &one
		}
	}
	if c.Chosen >= 0 && c.Chosen < len(set.Slots) {
		set.Chosen = c.Chosen
	}
	return set
}

// Save keeps the scenarios of a turn; a set of none removes the file.
func (f *File) Save(turn uint64, set Set, today civil.Date) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if turn <= f.turn {
		return nil
	}
	f.turn = turn
	if set.Count() == 0 {
		if err := os.Remove(f.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(contentOf(set, today))
	if err != nil {
		return err
	}
	return privatefile.Write(f.path, append(data, '\n'))
}

func contentOf(set Set, today civil.Date) content {
	c := content{Version: version, Chosen: set.Chosen}
	day := today
	for slot, one := range set.Slots {
		if one == nil {
			continue
		}
		for _, from := range [...]civil.Date{one.MonthlyFrom, one.OnceIn, one.CustomerGone} {
			if !from.IsZero() && from.Before(day) {
				day = from // a month that has passed since is one to type then
			}
		}
		in := InputOf(*one)
		c.WhatIfs[slot] = &typed{in.Texts, in.Overdue}
	}
	c.Day = day.String()
	return c
}
