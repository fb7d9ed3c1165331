package invoices

import "tarmac/views"

var _ views.Filterer = (*Screen)(nil)

// Filtered reports whether invoices are left out of a status's list. The status itself
// is a tab of the page.
func (s *Screen) Filtered() bool { return s.customer != "" || s.pastDue.Name != "" || s.search != "" }
