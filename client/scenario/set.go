package scenario

// Scenario is a named set of changes.
type Scenario struct {
	Name string
	Changes
}

// MaxScenarios is the number of scenarios that can be compared with each other.
const MaxScenarios = 3

// Set holds the scenarios to be compared. If one is removed, the others stay in their slots, so
// that they keep their letters.
type Set struct {
	Slots    [MaxScenarios]*Scenario
	Selected int
}

// Letter returns the letter of a slot. The first slot has the letter A.
func Letter(slot int) rune { return 'A' + rune(slot) }

// Count returns the number of scenarios in the set.
func (s *Set) Count() (n int) {
	for _, one := range s.Slots {
		if one != nil {
			n++
		}
	}
	return n
}

// Free returns the first empty slot. It returns false if there is none.
func (s *Set) Free() (slot int, ok bool) {
	for i, one := range s.Slots {
		if one == nil {
			return i, true
		}
	}
	return 0, false
}

// Put stores a scenario in a slot and makes it the selected one.
func (s *Set) Put(slot int, one Scenario) { s.Slots[slot], s.Selected = &one, slot }

// Next selects the scenario after the selected one. After the last, it selects the first.
func (s *Set) Next() {
	for range s.Slots {
		if s.Selected = (s.Selected + 1) % len(s.Slots); s.Slots[s.Selected] != nil {
			return
		}
	}
}

// Remove empties a slot and selects the next scenario.
func (s *Set) Remove(slot int) {
	s.Slots[slot] = nil
	s.Next()
}

// Merge copies the scenarios of another set into slots that are empty. If all slots are empty, it
// also takes over the selection.
func (s *Set) Merge(other Set) {
	if s.Count() == 0 {
		s.Selected = other.Selected
	}
	for slot, one := range other.Slots {
		if s.Slots[slot] == nil {
			s.Slots[slot] = one
		}
	}
	if s.Slots[s.Selected] == nil {
		s.Next()
	}
}
