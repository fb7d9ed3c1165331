package propose

import "tarmac/views/panel"

// Failure returns the state of the look for an invoice that may be there.
func (s *Screen) Failure() panel.State {
	if s.stage != uncertain {
		return panel.State{}
	}
	return s.search.found.State()
}
