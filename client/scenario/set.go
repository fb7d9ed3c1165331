package scenario

// Scenario is a named set of changes.
type Scenario struct {
	Name string
	Changes
}

// MaxScenarios is the number of scenarios that can be compared.
const MaxScenarios = 3

// Set holds the scenarios to compare. Removing one leaves the others in their slots, so that their
// letters stay the same.
type Set struct {
	Slots    [MaxScenarios]*Scenario
	Selected int
}

// Letter returns the letter of a slot: A for the first.
func Letter(slot int) rune { return 'A' + rune(slot) }

// Count returns the number of scenarios.
func (s *Set) Count() (n int) {
	for _, one := range s.Slots {
		if one != nil {
			n++
		}
	}
	return n
}

// Free returns the first empty slot, or false if there is none.
func (s *Set) Free() (slot int, ok bool) {
	for i, one := range s.Slots {
		if one == nil {
			return i, true
		}
	}
	return 0, false
}

// Put stores a scenario in a slot and selects it.
func (s *Set) Put(slot int, one Scenario) { s.Slots[slot], s.Selected = &one, slot }

// Next selects the next scenario.
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

// Merge copies scenarios of another set into empty slots, and its selection if all slots
// were empty.
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
