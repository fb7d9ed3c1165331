package invoices

import "tarmac/client/state"

// Shown returns the status whose list is shown, unless another page has chosen it.
func (s *Screen) Shown() (kept state.Shown) {
	if !s.filter.receivables {
		kept.Part = string(tabs[s.tab])
	}
	return kept
}

// Restore shows the list of the status of an earlier session.
func (s *Screen) Restore(kept state.Shown) {
	for i, status := range tabs {
		if kept.Part != "" && string(status) == kept.Part {
			s.showTab(i)
			s.arrange()
		}
	}
}
