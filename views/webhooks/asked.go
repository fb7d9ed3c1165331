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
