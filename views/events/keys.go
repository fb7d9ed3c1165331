package events

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/views"
)

func (s *Screen) newActions() views.Actions {
	enter := views.Open(s.canOpen, s.open)
	enter.Says = func() string { return either(s.detail.open, "open "+s.detail.subject.name, "open") }
	return views.Actions{
		views.Back(func() bool { return s.detail.open }, s.Back),
		enter,
		{Key: "/", Help: "filter", When: s.hasFigures, Do: func() tea.Cmd { s.search.Ask(); return nil }},
		{Key: typesKey, Help: "types", When: s.hasFigures, Do: func() tea.Cmd { s.picker.ask(); return nil }},
		{Key: "space", When: s.canPause, Says: func() string { return either(s.list.paused, "resume", "pause") },
			Do: func() tea.Cmd { s.pause(!s.list.paused); return nil }},
		views.Export(s.env, s.listed, s.export),
		{Key: "x", Help: "remove last filter", When: s.Filtered, Do: func() tea.Cmd { s.removeFilter(); return nil }},
		{Key: "y", Help: "copy id", When: s.hasID, Do: s.copyID},
		{Key: "o", When: s.listed, Says: func() string { return either(s.list.newestFirst, "oldest first", "newest first") },
			Do: func() tea.Cmd { s.reverse(); return nil }},
		{Key: "Y", Help: "copy JSON", When: s.isReadable, Do: s.copyJSON},
	}
}

const typesKey = "f"

// listed reports whether there is an event under the cursor.
func (s *Screen) listed() bool {
	_, ok := s.current()
	return ok
}

func (s *Screen) hasFigures() bool { return s.data.Feed.State().HasFigures() }

// canOpen reports whether enter opens the details of the event under the cursor or, if they are
// open, what the event is about.
func (s *Screen) canOpen() bool { return s.listed() && (!s.detail.open || s.detail.subject.name != "") }

func (s *Screen) open() tea.Cmd {
	if s.detail.open {
		return s.detail.subject.open
	}
	s.detail.open = true
	return nil
}

func (s *Screen) canPause() bool {
	return s.hasFigures() || s.data.Feed.State().Status == resource.Empty
}

func (s *Screen) hasID() bool {
	e, ok := s.current()
	return ok && e.ID != ""
}

func (s *Screen) isReadable() bool {
	e, ok := s.current()
	return ok && e.Omitted == 0 && e.Unreadable == nil
}

// canMove reports whether the movement keys have an effect. With no match yet, they still read
// older events.
func (s *Screen) canMove() bool {
	_, atOldest := s.data.Feed.Older()
	return s.listed() || s.hasFigures() && len(s.events) > 0 && !atOldest
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// The keys that move to the newest and to the oldest event.
func (s *Screen) newestKey() string { return either(s.list.newestFirst, "g", "G") }
func (s *Screen) oldestKey() string { return either(s.list.newestFirst, "G", "g") }

// nameEnds names the ends of the list in the help.
func (s *Screen) nameEnds() {
	s.nav.Top.SetHelp("g", either(s.list.newestFirst, "newest", "oldest"))
	s.nav.Bottom.SetHelp("G", either(s.list.newestFirst, "oldest", "newest"))
}

// Help returns the keys that work in the current state, grouped for the help page.
func (s *Screen) Help() []views.HelpGroup {
	if keys, open := s.layers.Help(); open {
		return keys
	}
	return []views.HelpGroup{s.actions.Help("Events"), s.nav.Help("List", s.canMove())}
}
