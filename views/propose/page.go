package propose

import (
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views"
)

// Page describes the page that proposes an invoice.
func Page() views.Page {
	return views.Page{
		Name: views.Propose, Title: "Propose", Action: "Propose an invoice", Target: views.ProposeTarget{}, Writes: true,
		Background: true,                           // saves the draft and searches for the invoice while hidden
		Needs:      []snapshot.Part{snapshot.Ping}, // Ping names the organization and the token's scopes
		New:        func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the state of the search for the proposed invoice. It returns nil unless the
// outcome is unknown.
func (s *Screen) Fetched() []resource.State {
	if s.stage != uncertain {
		return nil
	}
	return []resource.State{s.search.found.State()}
}

// Unfinished returns a warning while a response is pending, and "" otherwise. The draft on disk is
// marked as sent, so that the next start searches for the invoice.
func (s *Screen) Unfinished() string {
	if s.stage == sending {
		return "a proposal is still being sent"
	}
	return ""
}

// Release unlocks the draft for other tarmac programs. Call Flush first to save it.
func (s *Screen) Release() error {
	if s.saving.store == nil {
		return nil
	}
	return s.saving.store.Close()
}
