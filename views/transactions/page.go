package transactions

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Transactions, Digit: "4", Title: "Transactions", Short: "Trans",
		Background: true, // exports continue while the page is hidden
		New:        func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the fetch state of the listing.
func (s *Screen) Fetched() []resource.State {
	return []resource.State{s.state.State()}
}

// Filtered reports whether a filter hides transactions.
func (s *Screen) Filtered() bool { return !s.filter.empty() }

// Unfinished returns a warning while an export is running, and "" otherwise.
func (s *Screen) Unfinished() string {
	if s.exports.running != nil || s.exports.preparing != nil {
		return "an export is running"
	}
	return ""
}
