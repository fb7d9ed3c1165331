package runway

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/draft"
	"tarmac/internal/civil"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// version is that of the files written here. A newer program's are left alone.
const version = 1

// largest is more than three scenarios take.
const largest = 64 << 10

var errNewer = errors.New("a newer version of the program wrote it")

// keeping is where scenarios outlast the program: a file for each organization of a
// server.
type keeping struct {
	directory, origin string
	shelf             *shelf // nil while it is not known whose they are, and where none is kept
	asked, unsaved    bool
	turn              uint64
}

// shelf is the file. Turns number the writes as they were decided on: one that comes
// after a later one does nothing.
type shelf struct {
	path string
	mu   sync.Mutex
	turn uint64
}

func (f *shelf) put(turn uint64, content []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if turn <= f.turn {
		return nil
	}
	f.turn = turn
	if content != nil {
		return privatefile.Write(f.path, content)
	}
	if err := os.Remove(f.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// restored is what was kept.
type restored struct {
	to    *Screen
	shelf *shelf
	file  file
	err   error
}

// kept is the outcome of a write.
type kept struct {
	to   *Screen
	turn uint64
	err  error
}

// file is what is kept: scenarios as somebody would type them into the form on a day,
// so that whatever stands there is read as strictly as what is typed.
type file struct {
	Version int       `json:"version"`
	Day     string    `json:"day"`
	Chosen  int       `json:"chosen"`
	WhatIfs [3]*typed `json:"what_ifs"`
}

type typed struct {
	Fields  [fields]string `json:"fields"`
	Overdue bool           `json:"overdue"`
}

// restore returns the command that reads what was kept, once it is known whose
// scenarios these are.
func (s *Screen) restore() tea.Cmd {
	k := &s.keeping
	ping, known := s.data.Ping.Value()
	if k.asked || k.directory == "" || !known || ping.OrgID == "" {
		return nil
	}
	k.asked = true
	at := &shelf{path: filepath.Join(k.directory, "what-if-"+draft.Name(draft.Of(k.origin, ping.OrgID))+".json")}
	return func() tea.Msg {
		msg := restored{to: s, shelf: at}
		var content []byte
		if content, msg.err = privatefile.Read(at.path, largest); msg.err == nil {
			msg.err = json.Unmarshal(content, &msg.file)
		}
		if msg.err == nil && msg.file.Version > version {
			msg.err = errNewer
		}
		return msg
	}
}

// restored takes what was kept, behind what has been supposed meanwhile. A file that
// cannot be read is not written over.
func (s *Screen) restored(msg restored) tea.Cmd {
	if msg.err != nil && !errors.Is(msg.err, fs.ErrNotExist) {
		s.keeping.directory, s.keeping.unsaved = "", false
		return views.Warn(termtext.Line("the what-ifs could not be read, new ones are kept until you quit: " + msg.err.Error()))
	}
	k := &s.keeping
	k.shelf = msg.shelf
	before := s.scenarios.count()
	day, err := civil.Parse(msg.file.Day)
	for slot, t := range msg.file.WhatIfs {
		if t == nil || err != nil || s.scenarios.slots[slot] != nil {
			continue
		}
		f := newForm(slot, false)
		for i, text := range t.Fields {
			f.texts[i].Set(text)
		}
		f.overdue = t.Overdue
		if one, ok := f.read(day); ok {
			s.scenarios.slots[slot] = &one
		}
	}
	if c := msg.file.Chosen; before == 0 && c >= 0 && c < len(s.scenarios.slots) {
		s.scenarios.chosen = c
	}
	if s.scenarios.count() > 0 && s.scenarios.slots[s.scenarios.chosen] == nil {
		s.scenarios.next()
	}
	s.recount()
	if k.unsaved {
		return s.save()
	}
	return nil
}

// save returns the command that keeps the scenarios as they are now.
func (s *Screen) save() tea.Cmd {
	k := &s.keeping
	k.unsaved = k.directory != ""
	if k.shelf == nil || !k.unsaved {
		return nil
	}
	k.turn++
	at, turn, content := k.shelf, k.turn, s.written()
	return func() tea.Msg { return kept{s, turn, at.put(turn, content)} }
}

// written is the file's content, nil for nothing to keep.
func (s *Screen) written() []byte {
	if s.scenarios.count() == 0 {
		return nil
	}
	out := file{Version: version, Chosen: s.scenarios.chosen}
	day := civil.Of(s.now())
	for slot, one := range s.scenarios.slots {
		if one == nil {
			continue
		}
		for _, from := range [...]civil.Date{one.what.MonthlyFrom, one.what.OnceIn, one.what.CustomerGone} {
			if !from.IsZero() && from.Before(day) {
				day = from // a month that has passed since is one to type then
			}
		}
		f := newForm(slot, false)
		f.fill(one)
		t := &typed{Overdue: f.overdue}
		for i := range f.texts {
			t.Fields[i] = f.texts[i].Value()
		}
		out.WhatIfs[slot] = t
	}
	out.Day = day.String()
	content, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return append(content, '\n')
}

// kept says what could not be kept.
func (s *Screen) kept(msg kept) tea.Cmd {
	if msg.turn != s.keeping.turn {
		return nil
	}
	s.keeping.unsaved = msg.err != nil
	if msg.err != nil {
		return views.Warn(termtext.Line("the what-ifs are kept until you quit only: " + msg.err.Error()))
	}
	return nil
}

// Flush keeps what is not kept yet.
func (s *Screen) Flush() error {
	if !s.keeping.unsaved {
		return nil
	}
	cmd := s.save()
	if cmd == nil {
		return nil
	}
	done, _ := cmd().(kept)
	s.keeping.unsaved = done.err != nil
	return done.err
}
