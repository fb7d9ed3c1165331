package events

import (
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Events, Digit: "6", Title: "Events", Short: "Ev",
		Needs: []snapshot.Part{snapshot.Events},
		New:   func(env views.Env) views.Screen { return New(env) },
	}
}

// Fetched returns the fetch state of older events. The root model polls for new ones.
func (s *Screen) Fetched() []resource.State {
	state, _ := s.data.Feed.Older()
	return []resource.State{state}
}

// Filtered reports whether a filter hides events.
func (s *Screen) Filtered() bool { return s.filter.choice != allTypes || s.filter.search != "" }
