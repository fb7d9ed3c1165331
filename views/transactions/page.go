package transactions

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page describes the page of transactions.
func Page() views.Page {
	return views.Page{
		Name: views.Transactions, Digit: "4", Title: "Transactions", Short: "Trans",
		Background: true, // exports continue while the page is hidden
		New:        func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the state of the list of transactions.
func (s *Screen) Fetched() []resource.State {
	return []resource.State{s.state.State()}
}

// Filtered reports whether a filter hides transactions.
func (s *Screen) Filtered() bool { return !s.filter.empty() }

// Unfinished says that an export is running, or returns "".
func (s *Screen) Unfinished() string {
	if s.exports.running != nil || s.exports.preparing != nil {
		return "an export is running"
	}
	return ""
}
