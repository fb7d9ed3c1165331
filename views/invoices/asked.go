package invoices

import (
	"tarmac/client/resource"
	"tarmac/views"
)

var _ views.Asker = (*Screen)(nil)

// Asked returns the state of the invoice or the list that is shown.
func (s *Screen) Asked() (state resource.State, waiting bool) {
	if s.sole.id != "" {
		return s.sole.state.State(), s.sole.state.Waiting()
	}
	return s.list().state.State(), s.list().state.Waiting()
}
