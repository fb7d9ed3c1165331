package invoices

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page describes the page.
func Page() views.Page {
	return views.Page{
		Name: views.Invoices, Digit: "5", Title: "Invoices", Short: "Inv",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the state of the invoice or the list that is shown.
func (s *Screen) Fetched() []resource.State {
	if s.sole.id != "" {
		return []resource.State{s.sole.state.State()}
	}
	return []resource.State{s.list().state.State()}
}

// Filtered reports whether invoices are left out of a status's list. The status itself
// is a tab of the page.
func (s *Screen) Filtered() bool {
	return s.filter.customer != "" || s.filter.pastDue.Name != "" || s.filter.search != ""
}
