package events

import "tarmac/views"

var _ views.Filterer = (*Screen)(nil)

// Filtered reports whether events are left out of the list.
func (s *Screen) Filtered() bool { return s.choice != everything || s.search != "" }
