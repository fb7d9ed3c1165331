package receivables

import "tarmac/client/state"

// billsPart names the side with the bills in what is kept for the next session.
const billsPart = "bills"

// Shown returns the side and the order of the customers.
func (s *Screen) Shown() (kept state.Shown) {
	if s.sorting > 0 {
		kept.Order = sortings[s.sorting].title
	}
	if s.paying {
		kept.Part = billsPart
	}
	return kept
}

// Restore shows the side of an earlier session, and sorts the customers as there.
func (s *Screen) Restore(kept state.Shown) {
	s.showBills(kept.Part == billsPart && s.bills.list.HasSource())
	for i, one := range sortings {
		if one.title == kept.Order {
			s.sorting = i
			s.filter()
			s.syncView()
		}
	}
}
