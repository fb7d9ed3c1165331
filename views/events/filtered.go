package events

import "tarmac/views"

var _ views.Filterer = (*Screen)(nil)

// Filtered reports whether events of some types are left out. A search leaves out
// none.
func (s *Screen) Filtered() bool { return s.choice != everything }
