package books

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page returns the page's name, key and constructor for the root model. Only sessions on own books
// have the page.
func Page() views.Page {
	return views.Page{
		Name: views.Books, Digit: "9", Title: "Books", Short: "Books",
		Absent:    "Books: for your own bank files · : import",
		Available: func(env views.Env) bool { return env.Books != nil },
		New:       func(env views.Env) views.Screen { return views.Adapt(New(env)) },
	}
}

// Fetched returns the fetch state of the accounts and imports.
func (s *Screen) Fetched() []resource.State { return []resource.State{s.contents.State()} }

// Unfinished returns a warning if leaving would cancel a change of the books.
func (s *Screen) Unfinished() string {
	if d := s.dialog(); d != nil {
		return d.leaving
	}
	return ""
}
