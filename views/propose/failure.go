package propose

import "tarmac/client/resource"

// Failure returns the state of the look for an invoice that may be there.
func (s *Screen) Failure() resource.State {
	if s.stage != uncertain {
		return resource.State{}
	}
	return s.search.found.State()
}
