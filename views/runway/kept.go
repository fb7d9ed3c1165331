package runway

import "tarmac/client/state"

// parts returns the names of the lists in what is kept. The list that is shown first has none.
func parts() [sectionCount]string {
	return [...]string{weekList: "weeks", planList: "plan", againstList: "against"}
}

// Shown returns which list the keys move in.
func (s *Screen) Shown() state.Shown { return state.Shown{Part: parts()[s.section]} }

// Restore shows the list of an earlier session.
func (s *Screen) Restore(kept state.Shown) {
	for of, name := range parts() {
		if name != "" && name == kept.Part {
			s.show(section(of))
		}
	}
}
