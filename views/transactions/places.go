package transactions

import (
	"tarmac/internal/civil"
	"tarmac/views"
)

// Records returns the counterparties of the rows in memory, those of the newest rows first.
func (s *Screen) Records() (names []views.Record) {
	seen := map[string]bool{}
	for i := range s.store.pages {
		for j := range s.store.pages[i].rows {
			name := s.store.pages[i].rows[j].CounterpartyName
			if name != "" && !seen[name] {
				seen[name] = true
				names = append(names, views.NameOf(name))
			}
		}
	}
	return names
}

// Places returns where else the counterparty of the row under the cursor is, and what changed its
// month.
func (s *Screen) Places() []views.Place {
	t, ok := s.row(s.table.Cursor())
	if !ok || !s.allowed() {
		return nil
	}
	places := views.PlacesOf(t.CounterpartyName)
	if !t.Date.IsZero() {
		places = append(places, views.PlacesOfMonth(t.Date.FirstOfMonth(), civil.Of(s.env.Now()))...)
	}
	return places
}
