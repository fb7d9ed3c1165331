package events

import (
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page describes the page.
func Page() views.Page {
	return views.Page{
		Name: views.Events, Digit: "6", Title: "Events", Short: "Ev",
		Needs: []snapshot.Part{snapshot.Events},
		New:   func(env views.Env) views.Screen { return New(env) },
	}
}

// Fetched returns the state of reading further back.
func (s *Screen) Fetched() []views.Fetched {
	state, waiting, _ := s.data.Feed.Older()
	return []views.Fetched{{State: state, Waiting: waiting}}
}

// Filtered reports whether events are left out of the list.
func (s *Screen) Filtered() bool { return s.choice != everything || s.search != "" }
