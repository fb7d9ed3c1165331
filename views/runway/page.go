package runway

import (
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Runway, Digit: "2", Title: "Runway", Short: "Run",
		Needs:   []snapshot.Part{snapshot.Account, snapshot.Cash, snapshot.Aging, snapshot.Months, snapshot.History},
		Entries: []views.Entry{{Label: "Thirteen weeks ahead", Target: views.RunwayTarget{Weeks: true}}},
		New:     func(env views.Env) views.Screen { return views.Adapt(New(env, env.Client)) },
	}
}
