package receivables

import (
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Receivables, Digit: "3", Title: "Receivables", Short: "Recv",
		Needs:   []snapshot.Part{snapshot.Aging},
		Entries: []views.Entry{{Label: "Bills to pay", Target: views.ReceivablesTarget{Bills: true}}},
		New:     func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}
