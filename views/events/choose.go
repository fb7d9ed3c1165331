package events

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// choose applies the filters. The cursor stays on its event, or moves to the newest if the list
// follows the feed.
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
	s.restoreCursor(current, line)
}

// restoreCursor puts the cursor back on an event, at the same line of the screen. An event
// that is open in the detail stays open.
func (s *Screen) restoreCursor(identity string, line int) {
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
		s.detail.open = false // do not show another event in its place
		return                // the cursor keeps its row
	case s.tail.newestFirst:
		at = len(s.shown) - 1 - at
	}
	top, _ := s.table.Visible()
	s.table.Scroll(at - line - top)
	s.table.SetCursor(at)
	s.tail.following = s.tail.following && at == s.newestRow()
}

// holdFeed keeps the feed from dropping old events while the user may be reading them.
func (s *Screen) holdFeed() { s.data.Feed.Hold(s.tail.paused || !s.tail.following || s.Filtered()) }

func (s *Screen) ask() {
	s.mode, s.filter.previous = searching, s.filter.search
	s.prompt.Open("Filter  ", "type, number, counterparty, id or data", 200, s.filter.search)
}

// typed handles keys of the filter prompt; the list follows each key.
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

// cancel closes the prompt and restores the previous filter.
func (s *Screen) cancel() {
	s.mode = listing
	s.prompt.Close()
	s.find(s.filter.previous)
}

// find shows only events that contain a text; "" shows all.
func (s *Screen) find(text string) {
	if text != s.filter.search {
		s.filter.search = text
		s.choose()
	}
}

// remove removes the text filter, or if there is none, the type filter.
func (s *Screen) remove() {
	if s.filter.search != "" {
		s.find("")
		return
	}
	s.filter.choice = everything
	s.choose()
}
