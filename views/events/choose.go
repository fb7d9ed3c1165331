package events

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// choose picks the events that the filters leave out of those seen. The cursor stays
// on its event, or on the newest while that is followed.
func (s *Screen) choose() {
	current, line := "", 0
	if e, ok := s.event(s.table.Cursor()); ok {
		top, _ := s.table.Visible()
		current, line = e.Identity(), s.table.Cursor()-top
	}
	s.shown = s.seen
	if s.Filtered() {
		s.shown = nil
		for i := range s.seen {
			if ofType(s.filter.choice, s.seen[i].Type) && s.found(&s.seen[i]) {
				s.shown = append(s.shown, s.seen[i])
			}
		}
	}
	s.table.Highlight(s.filter.search)
	s.detail.highlight(s.filter.search)
	s.table.Invalidate()
	s.table.SetRows(len(s.shown), len(s.shown))
	s.keep(current, line)
}

// keep puts the cursor back on an event, on the line it was on. An event that is being
// read stays, whatever else happens.
func (s *Screen) keep(identity string, line int) {
	follow := s.tail.following && !s.detail.open
	at := -1
	if !follow {
		at = position(s.shown, identity)
	}
	switch {
	case follow, identity == "":
		s.table.SetCursor(s.newestRow())
		return
	case at < 0:
		s.detail.open = false // another in its place would pass for it
		return                // the nearest row is kept
	case s.tail.newestFirst:
		at = len(s.shown) - 1 - at
	}
	top, _ := s.table.Visible()
	s.table.Scroll(at - line - top)
	s.table.SetCursor(at)
	s.tail.following = s.tail.following && at == s.newestRow()
}

// hold keeps the feed from letting go of events that are looked through: a filter
// leads through many, also at the newest.
func (s *Screen) hold() { s.data.Feed.Hold(s.tail.paused || !s.tail.following || s.Filtered()) }

func (s *Screen) ask() {
	s.mode, s.filter.previous = searching, s.filter.search
	s.prompt.Open("Filter  ", "type, number, counterparty, id or data", 200, s.filter.search)
}

// typed filters as one types.
func (s *Screen) typed(press tea.KeyPressMsg) {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.cancel()
	case key.Matches(press, s.keys.Apply):
		s.mode = listing
		s.prompt.Close()
	default:
		s.prompt.Press(press)
		s.find(s.prompt.Text())
	}
}

// cancel leaves the filter as it was before it was typed.
func (s *Screen) cancel() {
	s.mode = listing
	s.prompt.Close()
	s.find(s.filter.previous)
}

// find shows only events with a text from now on, "" all.
func (s *Screen) find(text string) {
	if text != s.filter.search {
		s.filter.search = text
		s.choose()
	}
}

// remove takes off the text filter, else the choice of types.
func (s *Screen) remove() {
	if s.filter.search != "" {
		s.find("")
		return
	}
	s.filter.choice = everything
	s.choose()
}
