package spend

import (
	"slices"

	"tarmac/client/state"
)

// partNames are the names of the lists of figures in what is kept for the next session.
var partNames = [...]string{counterparties: "", recurring: "recurring", changes: "changes"}

// categoriesPart is the name of the counterparties by category.
const categoriesPart = "categories"

// Shown returns which figures are shown and in which order.
func (s *Screen) Shown() state.Shown {
	kept := state.Shown{Part: partNames[s.tab]}
	if s.tab == counterparties && s.choice.category {
		kept.Part = categoriesPart
	}
	if l := &s.lists[s.tab]; l.order > 0 {
		kept.Order = l.content.orders()[l.order]
	}
	return kept
}

// Restore shows the figures and the order of an earlier session.
func (s *Screen) Restore(kept state.Shown) {
	if kept.Part == categoriesPart {
		s.setCategory(true)
		kept.Part = partNames[counterparties]
	}
	if tab := slices.Index(partNames[:], kept.Part); tab >= 0 {
		s.showTab(kind(tab))
		l := &s.lists[tab]
		l.order = max(0, slices.Index(l.content.orders(), kept.Order))
		s.arrange()
	}
}
