package webhooks

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/views"
)

// forbidden says why endpoints cannot be changed. It returns "" if they can. Listing and changing
// endpoints need the same scope, so a refused list means that changes would be refused too
// (docs/api.md, Operations).
func (s *Screen) forbidden() string {
	state := s.endpoints.list.State()
	var api *apiclient.Error
	switch {
	case s.env.ReadOnly:
		return "read-only session: endpoints cannot be changed"
	case errors.Is(state.Err, apiclient.ErrUnauthorized):
		return "the server refused the " + problem.Credential(state.Err) + ": nothing can be changed with it"
	case state.Status != resource.NotAllowed:
		return ""
	case errors.As(state.Err, &api) && api.Scope != "":
		return "not allowed: the " + problem.Credential(state.Err) + " lacks the scope " + api.Scope
	}
	return "not allowed: the " + problem.Credential(state.Err) + " lacks the required scope"
}

// warnForbidden returns the command that warns about a key that is disabled because endpoints
// cannot be changed. For any other key it returns nil.
func (s *Screen) warnForbidden(press tea.KeyPressMsg) tea.Cmd {
	why := s.forbidden()
	if why == "" {
		return nil
	}
	for _, b := range s.keys.writes() {
		if slices.Contains(b.Keys(), press.String()) {
			return views.Warn(why)
		}
	}
	return nil
}
