package overview

import (
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: "overview", Digit: "1", Title: "Overview", Short: "Over",
		Needs: []snapshot.Part{
			snapshot.Account,
			snapshot.Cash,
			snapshot.Aging,
			snapshot.Months,
			snapshot.Latest,
			snapshot.Events,
		},
		Later: []snapshot.Part{snapshot.History},
		New:   func(env views.Env) views.Screen { return views.Adapt(New(env)) },
	}
}
