package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/draft"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// keeping saves the scenarios: one file for each server and organization.
type keeping struct {
	directory, origin string
	file              *scenario.File // nil if the owner is not known yet or nothing is saved
	loading, unsaved  bool
	turn              uint64
}

// restored is the content of the scenario file.
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

// restore returns the command that reads the saved scenarios, once their owner is known.
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

// restored adds the saved scenarios to those entered meanwhile. A file that cannot be read is never
// overwritten.
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

// save returns the command that saves the current scenarios.
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

// kept shows why scenarios could not be saved.
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

// Flush saves unsaved scenarios before the program ends.
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
