package events

import (
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page describes the page of events.
func Page() views.Page {
	return views.Page{
		Name: views.Events, Digit: "6", Title: "Events", Short: "Ev",
		Needs: []snapshot.Part{snapshot.Events},
		New:   func(env views.Env) views.Screen { return New(env) },
	}
}

// Fetched returns the state of the reading of older events.
func (s *Screen) Fetched() []resource.State {
	state, _ := s.data.Feed.Older()
	return []resource.State{state}
}

// Filtered reports whether a filter hides events.
func (s *Screen) Filtered() bool { return s.filter.choice != everything || s.filter.search != "" }
