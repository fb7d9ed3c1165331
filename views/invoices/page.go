package invoices

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page describes the page of invoices.
func Page() views.Page {
	return views.Page{
		Name: views.Invoices, Digit: "5", Title: "Invoices", Short: "Inv",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the state of the shown invoice or list.
func (s *Screen) Fetched() []resource.State {
	if s.single.id != "" {
		return []resource.State{s.single.state.State()}
	}
	return []resource.State{s.list().state.State()}
}

// Filtered reports whether a filter hides invoices of the list. The status is a tab, not a
// filter.
func (s *Screen) Filtered() bool {
	return s.filter.customer != "" || s.filter.pastDue.Name != "" || s.filter.search != ""
}
