package receivables

import "tarmac/client/state"

// Shown returns the order of the customers.
func (s *Screen) Shown() (kept state.Shown) {
	if s.sorting > 0 {
		kept.Order = sortings[s.sorting].title
	}
	return kept
}

// Restore sorts the customers as in an earlier session.
func (s *Screen) Restore(kept state.Shown) {
	for i, one := range sortings {
		if one.title == kept.Order {
			s.sorting = i
			s.filter()
			s.syncView()
		}
	}
}
