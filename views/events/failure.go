package events

import "tarmac/views/panel"

// Failure returns the state of reading further back.
func (s *Screen) Failure() panel.State {
	state, _, _ := s.data.Feed.Older()
	return state
}
