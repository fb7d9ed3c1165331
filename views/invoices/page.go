package invoices

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page returns the page's name, key and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Invoices, Digit: "5", Title: "Invoices", Short: "Inv",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the fetch state of the invoice opened by ID, or else of the shown list.
func (s *Screen) Fetched() []resource.State {
	if s.single.id != "" {
		return []resource.State{s.single.state.State()}
	}
	return []resource.State{s.list().state.State()}
}

// Filtered reports whether a filter hides invoices of the list. The status does not count: each
// status has a tab with a list of its own.
func (s *Screen) Filtered() bool {
	return s.filter.customer != "" || s.filter.pastDue.Name != "" || s.filter.search != ""
}
