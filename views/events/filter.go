package events

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/filters"
)

// applyFilters recomputes the shown events. The cursor stays on its event, or moves to the newest
// event if the list follows the feed.
func (s *Screen) applyFilters() {
	current, line := "", 0
	if e, ok := s.event(s.table.Cursor()); ok {
		top, _ := s.table.Visible()
		current, line = e.Identity(), s.table.Cursor()-top
	}
	s.shown = s.events
	if s.Filtered() {
		s.shown = nil
		for i := range s.events {
			if ofType(s.filter.choice, s.events[i].Type) && s.matches(&s.events[i]) {
				s.shown = append(s.shown, s.events[i])
			}
		}
	}
	s.table.Highlight(s.filter.search)
	s.detail.highlight(s.filter.search)
	s.table.Invalidate()
	s.table.SetRows(len(s.shown), len(s.shown))
	s.restoreCursor(current, line)
}

// restoreCursor moves the cursor to the event with the given identity and scrolls so that this
// event is at the given line of the table. If the list follows the feed and no detail pane is open,
// the cursor moves to the newest event instead. If a filter hides the event, restoreCursor closes
// the detail pane.
func (s *Screen) restoreCursor(identity string, line int) {
	follow := s.list.following && !s.detail.open
	at := -1
	if !follow {
		at = position(s.shown, identity)
	}
	switch {
	case follow, identity == "":
		s.table.SetCursor(s.newestRow())
		return
	case at < 0:
		s.detail.open = false // the pane must not switch to another event by itself
		return                // the cursor keeps its row number
	case s.list.newestFirst:
		at = len(s.shown) - 1 - at
	}
	top, _ := s.table.Visible()
	s.table.Scroll(at - line - top)
	s.table.SetCursor(at)
	s.list.following = s.list.following && at == s.newestRow()
}

// holdFeed tells the feed to keep old events while the user may be reading them.
func (s *Screen) holdFeed() {
	s.data.Feed.SetReading(s.list.paused || !s.list.following || s.Filtered())
}

// SavedFilter returns the type filter and the text filter.
func (s *Screen) SavedFilter() filters.Filter {
	f := filters.Filter{Text: s.filter.search}
	if s.filter.choice != allTypes {
		f.Type = s.filter.choice
	}
	return f
}

// RestoreFilter sets the filters that an earlier session saved.
func (s *Screen) RestoreFilter(f filters.Filter) tea.Cmd {
	s.filter.search, s.filter.choice = f.Text, cmp.Or(f.Type, allTypes)
	s.applyFilters()
	s.holdFeed()
	s.arrange()
	return nil
}

// setSearch sets the text filter. An empty text shows all events.
func (s *Screen) setSearch(text string) {
	if text != s.filter.search {
		s.filter.search = text
		s.applyFilters()
	}
}

// removeFilter removes the text filter, or the type filter if there is no text filter.
func (s *Screen) removeFilter() {
	if s.filter.search != "" {
		s.setSearch("")
		return
	}
	s.filter.choice = allTypes
	s.applyFilters()
}
