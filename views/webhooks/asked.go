package webhooks

import (
	"tarmac/client/resource"
	"tarmac/views"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the endpoints.
func (s *Screen) Asked() (state resource.State, waiting bool) {
	return s.list.State(), s.list.Waiting()
}

// Failure returns the state of the deliveries that are shown.
func (s *Screen) Failure() resource.State {
	if !s.logShown() {
		return resource.State{}
	}
	return s.log.State()
}
