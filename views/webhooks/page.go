package webhooks

import (
	"tarmac/client/endpoint"
	"tarmac/client/resource"
	"tarmac/internal/plural"
	"tarmac/views"
)

// Page returns the page's name, key and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: "webhooks", Digit: "7", Title: "Webhooks", Short: "Hooks",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Fetched returns the fetch state of the endpoints and, if they are shown, of the deliveries.
func (s *Screen) Fetched() []resource.State {
	fetched := []resource.State{s.endpoints.list.State()}
	if s.deliveriesShown() {
		fetched = append(fetched, s.deliveries.log.State())
	}
	return fetched
}

// Filtered reports whether a filter hides endpoints or deliveries.
func (s *Screen) Filtered() bool { return s.filter.texts != [onDelivery]string{} }

// Work returns how many endpoints were created.
func (s *Screen) Work() []string {
	if s.writes.created == 0 {
		return nil
	}
	return []string{plural.Count(s.writes.created, "webhook endpoint")}
}

// Unfinished returns a warning if leaving would lose a signing secret: the shown secret, if it has
// not been copied, or one that a pending response may contain. Otherwise it returns "".
func (s *Screen) Unfinished() string {
	switch {
	case s.secret.Open() && !s.secret.copied:
		return "the signing secret will not be shown again"
	case s.writes.pending.operation == endpoint.Create || s.writes.pending.operation == endpoint.Rotate:
		return "a signing secret is still being created"
	}
	return ""
}
