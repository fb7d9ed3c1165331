package runway

import "tarmac/client/state"

const weeksPart = "weeks"

// Shown returns which list the keys move in.
func (s *Screen) Shown() (kept state.Shown) {
	if s.section == weekList {
		kept.Part = weeksPart
	}
	return kept
}

// Restore shows the list of an earlier session.
func (s *Screen) Restore(kept state.Shown) {
	if kept.Part == weeksPart {
		s.section = weekList
		s.syncView()
	}
}
