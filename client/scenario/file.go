package scenario

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"sync"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/state"
	"tarmac/internal/civil"
)

// version is the version of the file format. Load refuses files with a later version. Files whose
// amounts are all in the default currency have the version before, which has no currencies.
const version = 2

// largest is the maximum size of the file, in bytes.
const largest = 64 << 10

var errNewer = errors.New("it was written by a newer version of tarmac")

// File is the file with the scenarios of one organization. It is safe for concurrent use.
type File struct {
	folder   state.Folder
	name     string
	mu       sync.Mutex
	sequence uint64
}

// NewFile returns the scenario file of an organization in a folder. organization is a key made by
// draft.OrgKey.
func NewFile(folder state.Folder, organization string) *File {
	return &File{folder: folder, name: "what-if-" + draft.FileName(organization) + ".json"}
}

// content is the content of the file: the day on which scenarios were typed, and their text.
// Reading them therefore validates them like typed text.
type content struct {
	Version int                           `json:"version"`
	Day     string                        `json:"day"`
	Chosen  int                           `json:"chosen"`
	WhatIfs [MaxScenarios]*storedScenario `json:"what_ifs"`
}

type storedScenario struct {
	Fields   [FieldCount]string `json:"fields"`
	Overdue  bool               `json:"overdue"`
	Currency string             `json:"currency,omitempty"` // of the amounts; "" for the default
}

// Load returns the stored scenarios and leaves out invalid ones. If there is no file, it returns an
// empty Set.
func (f *File) Load() (Set, error) {
	data, err := f.folder.Read(f.name, largest)
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
		if one, wrong := (Input{t.Fields, t.Overdue}).Read(day, cmp.Or(t.Currency, apiclient.DefaultCurrency)); !wrong.Any() {
			set.Slots[slot] = &one
		}
	}
	if c.Chosen >= 0 && c.Chosen < len(set.Slots) {
		set.Selected = c.Chosen
	}
	return set
}

// Save stores a set of scenarios. If the set is empty, it removes the file. Concurrent calls may
// run in any order, so callers number their calls with sequence. If a call with a higher number has
// already run, Save does nothing.
func (f *File) Save(sequence uint64, set Set, today civil.Date) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if sequence <= f.sequence {
		return nil
	}
	f.sequence = sequence
	if set.Count() == 0 {
		return f.folder.Remove(f.name)
	}
	data, err := json.Marshal(contentOf(set, today))
	if err != nil {
		return err
	}
	return f.folder.Write(f.name, append(data, '\n'))
}

func contentOf(set Set, today civil.Date) content {
	c := content{Version: version - 1, Chosen: set.Selected}
	day := today
	for slot, one := range set.Slots {
		if one == nil {
			continue
		}
		for _, from := range [...]civil.Date{one.MonthlyFrom, one.OnceIn, one.CustomerLost} {
			if !from.IsZero() && from.Before(day) {
				day = from // Load refuses months before the stored day
			}
		}
		in := InputOf(*one, one.Currency)
		stored := &storedScenario{Fields: in.Texts, Overdue: in.Overdue}
		if one.Currency != "" && one.Currency != apiclient.DefaultCurrency {
			stored.Currency, c.Version = one.Currency, version
		}
		c.WhatIfs[slot] = stored
	}
	c.Day = day.String()
	return c
}
