package webhooks

import (
	"tarmac/views"
	"tarmac/views/panel"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the endpoints.
func (s *Screen) Asked() (state panel.State, waiting bool) {
	return s.list.State(), s.list.Waiting()
}

// Failure returns the state of the deliveries that are shown.
func (s *Screen) Failure() panel.State {
	if !s.logShown() {
		return panel.State{}
	}
	return s.log.State()
}
