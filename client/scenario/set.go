package scenario

// Scenario is what somebody supposes of the months ahead, under a name.
type Scenario struct {
	Name string
	Changes
}

// Most is how many scenarios can be compared.
const Most = 3

// Set holds the scenarios that are compared. One keeps its slot, and so its letter, when another
// is removed.
type Set struct {
	Slots  [Most]*Scenario
	Chosen int
}

// Letter returns what a slot is called: A for the first.
func Letter(slot int) rune { return 'A' + rune(slot) }

// Count returns how many scenarios there are.
func (s *Set) Count() (n int) {
	for _, one := range s.Slots {
		if one != nil {
			n++
		}
	}
	return n
}

// Free returns the first empty slot, and false when all are taken.
func (s *Set) Free() (slot int, ok bool) {
	for i, one := range s.Slots {
		if one == nil {
			return i, true
		}
	}
	return 0, false
}

// Put puts a scenario into a slot and chooses it.
func (s *Set) Put(slot int, one Scenario) { s.Slots[slot], s.Chosen = &one, slot }

// Next chooses the scenario after the chosen one.
func (s *Set) Next() {
	for range s.Slots {
		if s.Chosen = (s.Chosen + 1) % len(s.Slots); s.Slots[s.Chosen] != nil {
			return
		}
	}
}

// Remove empties a slot and chooses the next scenario.
func (s *Set) Remove(slot int) {
	s.Slots[slot] = nil
	s.Next()
}

// Merge takes the scenarios of another set into the slots that are empty, and its choice where
// all were.
func (s *Set) Merge(other Set) {
	if s.Count() == 0 {
		s.Chosen = other.Chosen
	}
	for slot, one := range other.Slots {
		if s.Slots[slot] == nil {
			s.Slots[slot] = one
		}
	}
	if s.Slots[s.Chosen] == nil {
		s.Next()
	}
}
