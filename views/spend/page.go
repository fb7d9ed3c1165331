package spend

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Spend, Digit: "8", Title: "Spend", Short: "Spend",
		Needs: []snapshot.Part{snapshot.History},
		Entries: []views.Entry{
			{Label: "Where the money goes", Target: views.SpendTarget{Figures: views.SpendByCounterparty}},
			{Label: "What recurs", Target: views.SpendTarget{Figures: views.SpendRecurring}},
			{Label: "Why a month changed", Target: views.SpendTarget{Figures: views.SpendChanges}},
		},
		New: func(env views.Env) views.Screen { return New(env) },
	}
}

// Fetched returns nil: the page's rows belong to the snapshot.
func (s *Screen) Fetched() []resource.State { return nil }

// Filtered reports whether the user has set a filter: money in, or a text.
func (s *Screen) Filtered() bool {
	if s.choice.direction == apiclient.Inflow {
		return true
	}
	for i := range s.lists {
		if s.lists[i].text != "" {
			return true
		}
	}
	return false
}

// SavedFilter returns the direction and the text by which the counterparties are filtered.
func (s *Screen) SavedFilter() (f filters.Filter) {
	if s.choice.direction == apiclient.Inflow {
		f.Direction = string(apiclient.Inflow)
	}
	f.Text = s.lists[counterparties].text
	return f
}

// RestoreFilter sets a filter that an earlier session saved.
func (s *Screen) RestoreFilter(f filters.Filter) tea.Cmd {
	if f.Direction == string(apiclient.Inflow) {
		s.setDirection(apiclient.Inflow)
	}
	s.setText(&s.lists[counterparties], f.Text)
	s.arrange()
	return nil
}
