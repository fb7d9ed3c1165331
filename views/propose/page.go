package propose

import (
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page describes the page to the program.
func Page() views.Page {
	return views.Page{
		Name: views.Propose, Title: "Propose", Action: "Propose an invoice", Target: views.ProposeTarget{}, Writes: true,
		Background: true,                           // saves text and searches for the invoice while hidden
		Needs:      []snapshot.Part{snapshot.Ping}, // for the drafts' owner and the token's scopes
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

// Unfinished returns a warning while a response is pending, or "". The saved draft records that it
// was sent, so the next start searches for the invoice.
func (s *Screen) Unfinished() string {
	if s.stage == sending {
		return "a proposal is still being sent"
	}
	return ""
}

// Release releases the draft for other programs. Call Flush first to save it.
func (s *Screen) Release() error {
	if s.keeping.store == nil {
		return nil
	}
	return s.keeping.store.Close()
}
