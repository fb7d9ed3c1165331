package transactions

import (
	"tarmac/client/resource"
	"tarmac/views"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the listing.
func (s *Screen) Asked() (state resource.State, waiting bool) {
	return s.state.State(), s.state.Waiting()
}
