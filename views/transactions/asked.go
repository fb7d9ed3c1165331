package transactions

import (
	"tarmac/views"
	"tarmac/views/panel"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the listing.
func (s *Screen) Asked() (state panel.State, waiting bool) {
	return s.state.State(), s.state.Waiting()
}
