package intent

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page returns the page's name, title and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Intent, Title: "Payment", Action: "Payment by id",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the fetch state of the payment intent.
func (s *Screen) Fetched() []resource.State {
	return []resource.State{s.figures()}
}
