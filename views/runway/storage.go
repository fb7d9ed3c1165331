package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/draft"
	"tarmac/client/scenario"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// storage is the state of saving scenarios. Each organization on each server has a file of its own.
type storage struct {
	folder           state.Folder
	origin           string
	file             *scenario.File // nil until the organization's scenario file has been read
	loading, unsaved bool
	number           uint64 // number of the latest save
}

// restoredMsg is the content of the scenario file, or the error from reading it.
type restoredMsg struct {
	file *scenario.File
	set  scenario.Set
	err  error
}

// savedMsg is the outcome of a save.
type savedMsg struct {
	number uint64
	err    error
}

// restore returns the command that reads the saved scenarios. It returns nil while the organization
// is unknown, if reading has already begun, and if scenarios are not saved.
func (s *Screen) restore() tea.Cmd {
	k := &s.storage
	ping, known := s.data.Ping.Value()
	if k.loading || k.folder == nil || !known || ping.OrgID == "" {
		return nil
	}
	k.loading = true
	file := scenario.NewFile(k.folder, draft.OrgKey(k.origin, ping.OrgID))
	return func() tea.Msg {
		set, err := file.Load()
		return restoredMsg{file, set, err}
	}
}

// applyRestored merges the saved scenarios with those entered while the file was read. If the file
// cannot be read, saving stops for good, so that the file is never overwritten.
func (s *Screen) applyRestored(msg restoredMsg) tea.Cmd {
	k := &s.storage
	if msg.err != nil {
		k.folder, k.unsaved = nil, false
		return views.Warn(termtext.Line(
			"saved scenarios could not be read, new ones are kept until you quit: " + msg.err.Error(),
		))
	}
	k.file = msg.file
	s.scenarios.Merge(msg.set)
	s.recompute()
	if k.unsaved {
		return s.save()
	}
	return nil
}

// save returns the command that saves the current scenarios. If the saved scenarios have not been
// read yet, it returns nil; applyRestored then saves both.
func (s *Screen) save() tea.Cmd {
	k := &s.storage
	k.unsaved = k.folder != nil
	if k.file == nil || !k.unsaved {
		return nil
	}
	k.number++
	file, number, set, today := k.file, k.number, s.scenarios, civil.Of(s.env.Now())
	return func() tea.Msg { return savedMsg{number, file.Save(number, set, today)} }
}

// handleSaved returns a warning if the latest save failed. It ignores the outcomes of earlier
// saves.
func (s *Screen) handleSaved(msg savedMsg) tea.Cmd {
	if msg.number != s.storage.number {
		return nil
	}
	s.storage.unsaved = msg.err != nil
	if msg.err != nil {
		return views.Warn(termtext.Line(
			"scenarios could not be saved, they are kept until you quit: " + msg.err.Error(),
		))
	}
	return nil
}

// Work returns how many scenarios there are.
func (s *Screen) Work() []string {
	if s.scenarios.Count() == 0 {
		return nil
	}
	return []string{plural.Count(s.scenarios.Count(), "scenario")}
}

// Flush writes unsaved scenarios to their file and returns the error if that fails. The root model
// calls it before the program ends.
func (s *Screen) Flush() error {
	if !s.storage.unsaved {
		return nil
	}
	cmd := s.save()
	if cmd == nil {
		return nil
	}
	done, _ := cmd().(savedMsg)
	s.storage.unsaved = done.err != nil
	return done.err
}
