package propose

import (
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page describes the page.
func Page() views.Page {
	return views.Page{
		Name: views.Propose, Title: "Propose", Action: "Propose an invoice", Target: views.ProposeTarget{}, Writes: true,
		Background: true,                           // typed text is saved, a lost answer looked for
		Needs:      []snapshot.Part{snapshot.Ping}, // whose drafts these are, and what the token may do
		New:        func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the state of the search for an invoice that may have been created.
func (s *Screen) Fetched() []resource.State {
	if s.stage != uncertain {
		return nil
	}
	return []resource.State{s.search.found.State()}
}

// Unfinished says that an answer would not be seen. The draft knows that it was sent,
// so that the invoice is looked for the next time.
func (s *Screen) Unfinished() string {
	if s.stage == sending {
		return "a proposal is still being sent"
	}
	return ""
}

// Release frees the draft's place. What was typed is saved by Flush, before.
func (s *Screen) Release() error {
	if s.keeping.store == nil {
		return nil
	}
	return s.keeping.store.Close()
}
