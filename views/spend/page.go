package spend

import (
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Spend, Digit: "8", Title: "Spend", Short: "Spend",
		Needs: []snapshot.Part{snapshot.History},
		Entries: []views.Entry{
			{Label: "Where the money goes", Target: views.SpendTarget{Figures: views.SpendByCounterparty}},
			{Label: "What recurs", Target: views.SpendTarget{Figures: views.SpendRecurring}},
			{Label: "Why a month changed", Target: views.SpendTarget{Figures: views.SpendChanges}},
		},
		New: func(env views.Env) views.Screen { return New(env) },
	}
}
