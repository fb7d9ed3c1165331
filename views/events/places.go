package events

import "tarmac/views"

// Places returns where else the customer or counterparty of the event under the cursor is.
func (s *Screen) Places() []views.Place {
	e, ok := s.current()
	if !ok {
		return nil
	}
	return views.PlacesOf(s.who(e))
}
