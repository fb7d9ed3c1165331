package events

import "tarmac/client/resource"

// Failure returns the state of reading further back.
func (s *Screen) Failure() resource.State {
	state, _, _ := s.data.Feed.Older()
	return state
}
