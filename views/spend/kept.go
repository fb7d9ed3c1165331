package spend

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/client/state"
	"tarmac/views"
)

// partNames are the names of the lists of figures in what is kept for the next session.
var partNames = [...]string{counterparties: "", recurring: "recurring", changes: "changes"}

// categoriesPart is the name of the counterparties by category.
const categoriesPart = "categories"

// kept returns the filter of the counterparties, the list that is shown, and its order.
func (s *Screen) kept() (k views.Kept) {
	if s.choice.direction == apiclient.Inflow {
		k.Filter.Direction = string(apiclient.Inflow)
	}
	k.Filter.Text, k.Shown.Part = s.lists[counterparties].Text, partNames[s.tab]
	if s.tab == counterparties && s.choice.category {
		k.Shown.Part = categoriesPart
	}
	if l := &s.lists[s.tab]; l.order > 0 {
		k.Shown.Order = l.content.orders()[l.order]
	}
	return k
}

func (s *Screen) restore(k views.Kept) {
	if k.Filter != (filters.Filter{}) {
		if k.Filter.Direction == string(apiclient.Inflow) {
			s.setDirection(apiclient.Inflow)
		}
		s.lists[counterparties].SetText(k.Filter.Text)
	}
	if k.Shown == (state.Shown{}) {
		return
	}
	if k.Shown.Part == categoriesPart {
		s.setCategory(true)
		k.Shown.Part = partNames[counterparties]
	}
	if tab := slices.Index(partNames[:], k.Shown.Part); tab >= 0 {
		s.showTab(kind(tab))
		l := &s.lists[tab]
		l.order = max(0, slices.Index(l.content.orders(), k.Shown.Order))
	}
}
