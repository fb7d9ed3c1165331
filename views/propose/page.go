package propose

import (
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/plural"
	"tarmac/views"
)

// Page returns the name, title, needs and constructor of this page for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Propose, Title: "Propose", Action: "Propose an invoice", Target: views.ProposeTarget{}, Writes: true,
		Background: true,                           // saves the draft and searches for the invoice while hidden
		Needs:      []snapshot.Part{snapshot.Ping}, // Ping tells the organization and the token's scopes
		New:        func(env views.Env) views.Screen { return views.Adapt(New(env, env.Client)) },
	}
}

// Fetched returns the fetch state of the search for the proposed invoice. It returns nil unless the
// outcome of the proposal is unknown.
func (s *Screen) Fetched() []resource.State {
	if s.stage != uncertain {
		return nil
	}
	return []resource.State{s.search.found.State()}
}

// Unfinished returns a warning while the response to a proposal is pending, and "" otherwise. If
// the user quits anyway, the next start searches for the invoice, because the draft on disk is
// marked as sent.
func (s *Screen) Unfinished() string {
	if s.stage == sending {
		return "a proposal is still being sent"
	}
	return ""
}

// Work returns how many invoices were created, and whether the form has unsent input.
func (s *Screen) Work() (work []string) {
	if s.created > 0 {
		work = append(work, plural.Count(s.created, "proposed invoice"))
	}
	if s.stage != finished && !s.form.empty() {
		work = append(work, "1 unsent invoice")
	}
	return work
}

// Release unlocks the draft for other running tarmac programs. Call Flush first, which saves the
// draft.
func (s *Screen) Release() error {
	return s.saving.Store.Close()
}
