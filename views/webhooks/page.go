package webhooks

import (
	"tarmac/client/resource"
	"tarmac/views"
)

// Page describes the page.
func Page() views.Page {
	return views.Page{
		Name: "webhooks", Digit: "7", Title: "Webhooks", Short: "Hooks",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the state of the endpoints, and of the deliveries that are shown.
func (s *Screen) Fetched() []resource.State {
	fetched := []resource.State{s.endpoints.list.State()}
	if s.logShown() {
		fetched = append(fetched, s.deliveries.log.State())
	}
	return fetched
}

// Filtered reports whether endpoints or deliveries are left out.
func (s *Screen) Filtered() bool { return s.filter.texts != [onDelivery]string{} }

// Unfinished says that a signing secret would be lost: one that is on the screen, or
// waits to be, and was not copied, or one that an answer may bring.
func (s *Screen) Unfinished() string {
	switch {
	case s.mode == showing && !s.secret.copied:
		return "a signing secret is not shown again"
	case s.writes.pending.deed == create || s.writes.pending.deed == rotate:
		return "a signing secret is on its way"
	}
	return ""
}
