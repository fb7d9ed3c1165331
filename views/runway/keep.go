package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/draft"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// keeping is where scenarios outlast the program: a file for each organization of a
// server.
type keeping struct {
	directory, origin string
	file              *scenario.File // nil while it is not known whose they are, and where none is kept
	loading, unsaved  bool
	turn              uint64
}

// restored is what was kept.
type restored struct {
	file *scenario.File
	set  scenario.Set
	err  error
}

// kept is the outcome of a write.
type kept struct {
	turn uint64
	err  error
}

// restore returns the command that reads what was kept, once it is known whose
// scenarios these are.
func (s *Screen) restore() tea.Cmd {
	k := &s.keeping
	ping, known := s.data.Ping.Value()
	if k.loading || k.directory == "" || !known || ping.OrgID == "" {
		return nil
	}
	k.loading = true
	file := scenario.NewFile(k.directory, draft.Owner(k.origin, ping.OrgID))
	return func() tea.Msg {
		set, err := file.Load()
		return restored{file, set, err}
	}
}

// restored takes what was kept, behind what has been supposed meanwhile. A file that
// cannot be read is not written over.
func (s *Screen) restored(msg restored) tea.Cmd {
	k := &s.keeping
	if msg.err != nil {
		k.directory, k.unsaved = "", false
		return views.Warn(termtext.Line("saved scenarios could not be read, new ones are kept until you quit: " + msg.err.Error()))
	}
	k.file = msg.file
	s.scenarios.Merge(msg.set)
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
	if k.file == nil || !k.unsaved {
		return nil
	}
	k.turn++
	file, turn, set, today := k.file, k.turn, s.scenarios, civil.Of(s.env.Now())
	return func() tea.Msg { return kept{turn, file.Save(turn, set, today)} }
}

// kept says what could not be kept.
func (s *Screen) kept(msg kept) tea.Cmd {
	if msg.turn != s.keeping.turn {
		return nil
	}
	s.keeping.unsaved = msg.err != nil
	if msg.err != nil {
		return views.Warn(termtext.Line("scenarios could not be saved, they are kept until you quit: " + msg.err.Error()))
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
