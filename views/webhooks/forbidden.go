package webhooks

import (
	"errors"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/resource"
)

// forbidden says why endpoints cannot be changed. It returns "" if they can. Listing and changing
// endpoints need the same scope, so a refused list means that changes would be refused too
// (docs/api.md, Operations).
func (s *Screen) forbidden() string {
	state := s.all.State()
	switch {
	case s.ReadOnly:
		return "read-only session: endpoints cannot be changed"
	case errors.Is(state.Err, apiclient.ErrUnauthorized):
		return problem.Reason(state.Err) + ": nothing can be changed with it"
	case state.Status != resource.NotAllowed:
		return ""
	case problem.Scope(state.Err) != "":
		return "not allowed: the " + problem.Credential(state.Err) + " lacks the scope " + problem.Scope(state.Err)
	}
	return "not allowed: the " + problem.Credential(state.Err) + " lacks the required scope"
}
