package intent

import (
	"tarmac/client/resource"
	"tarmac/views"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the payment intent.
func (s *Screen) Asked() (state resource.State, waiting bool) {
	return s.figures(), s.state.Waiting()
}
