package ui

import (
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/draft"
	"tarmac/client/filters"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// savedFilters is the state of the file that keeps the filters of a session's pages for the next
// session.
type savedFilters struct {
	file     *filters.File // nil until the file has been read
	reading  bool          // reading the file has begun
	content  filters.Set   // content of the file after the latest save
	sequence uint64        // number of the latest save
	failed   bool          // the user knows that filters cannot be saved
}

// filtersRead is the message with the content of the file, or the error from reading it.
type filtersRead struct {
	file *filters.File
	set  filters.Set
	err  error
}

// filtersSaved is the message that a save has ended.
type filtersSaved struct{ err error }

// readFilters returns the command that reads the saved filters. It returns nil while the
// organization is unknown, if reading has already begun, and if nothing is saved.
func (s *session) readFilters() tea.Cmd {
	ping, known := s.data.Ping.Value()
	if s.filters.reading || s.drafts == nil || !known || ping.OrgID == "" {
		return nil
	}
	s.filters.reading = true
	file := filters.NewFile(s.drafts, draft.OrgKey(s.connection.Client.Origin(), ping.OrgID))
	return s.address(noPage, func() tea.Msg {
		set, err := file.Load()
		return filtersRead{file, set, err}
	})
}

// restoreFilters sets the saved filters on the pages on which the user has not set one yet, and
// names these pages in a notice. If the file cannot be read, it is never overwritten.
func (s *session) restoreFilters(msg filtersRead) tea.Cmd {
	if msg.err != nil {
		s.filters.failed = true
		return views.Warn(termtext.Line(
			"saved filters could not be read, new ones are kept until you quit: " + msg.err.Error(),
		))
	}
	s.filters.file, s.filters.content = msg.file, msg.set
	var cmds []tea.Cmd
	var titles []string
	for i, p := range s.pages {
		saved, ok := msg.set[p.Name]
		if is := p.screen.State(); !ok || is.Filtered || is.Typing {
			continue
		}
		cmds = append(cmds, s.address(i, p.screen.Update(views.Restore{Filter: saved})))
		if p.screen.State().Filtered {
			titles = append(titles, p.Title)
		}
	}
	if len(titles) > 0 {
		names := strings.Join(titles, ", ")
		cmds = append(cmds, views.Tell("filters of your last session: "+names+" · x on the page removes one"))
	}
	return tea.Batch(cmds...)
}

// currentFilters returns the filters to save: those of all pages, and the saved ones of pages that
// this session does not have.
func (s *session) currentFilters() filters.Set {
	set := maps.Clone(s.filters.content)
	for _, p := range s.pages {
		delete(set, p.Name)
		if f := p.screen.State().Kept.Filter; f != (filters.Filter{}) {
			set[p.Name] = f
		}
	}
	return set
}

// saveFilters returns the command that saves the filters. It returns nil if they have not changed
// since the latest save, or if the file has not been read.
func (s *session) saveFilters() tea.Cmd {
	k := &s.filters
	if k.file == nil {
		return nil
	}
	set := s.currentFilters()
	if maps.Equal(set, k.content) {
		return nil
	}
	k.sequence++
	k.content = set
	file, sequence := k.file, k.sequence
	return s.address(noPage, func() tea.Msg { return filtersSaved{file.Save(sequence, set)} })
}

// filtersNotSaved returns the command that warns once that filters cannot be saved.
func (s *session) filtersNotSaved(err error) tea.Cmd {
	if err == nil || s.filters.failed {
		return nil
	}
	s.filters.failed = true
	return views.Warn(termtext.Line("filters could not be saved, they are kept until you quit: " + err.Error()))
}

// flushFilters saves changed filters before the session ends. It returns the error if that fails
// and the user does not know it yet.
func (s *session) flushFilters() error {
	cmd := s.saveFilters()
	if cmd == nil {
		return nil
	}
	saved, _ := cmd().(answer).msg.(filtersSaved)
	if s.filters.failed {
		return nil
	}
	return saved.err
}
