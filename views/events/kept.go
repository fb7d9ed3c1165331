package events

import "tarmac/client/state"

const oldestFirst = "oldest first"

// Shown returns the order of the events.
func (s *Screen) Shown() (kept state.Shown) {
	if !s.list.newestFirst {
		kept.Order = oldestFirst
	}
	return kept
}

// Restore lists the events in the order of an earlier session.
func (s *Screen) Restore(kept state.Shown) {
	if kept.Order == oldestFirst && s.list.newestFirst {
		s.reverse()
		s.arrange()
	}
}
