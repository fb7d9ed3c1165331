package intent

import (
	"tarmac/views"
	"tarmac/views/panel"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the payment intent.
func (s *Screen) Asked() (state panel.State, waiting bool) {
	return s.figures(), s.state.Waiting()
}
