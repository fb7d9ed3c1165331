package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/views"
)

// returnGap is the minimum time between two retries caused by a return to a page. Switching quickly
// between pages would otherwise send a request each time.
const returnGap = 5 * time.Second

// retryFailed returns the command that retries what the visible page failed to load and has no
// older figures for. It is used when the user returns to a page. Otherwise, a refused request is
// retried only once a minute. While the server is unreachable, only the feed is polled.
func (m *Model) retryFailed() tea.Cmd {
	s, now := m.session, m.options.Now()
	p := &s.pages[s.active]
	policy := resource.Policy{Returned: true, Unreachable: s.data.Unreachable()}
	due := func(state resource.State) bool { return resource.Due(state, now, policy) }
	var cmds []tea.Cmd
	if slices.ContainsFunc(p.screen.State().Fetched, due) && now.Sub(p.retried) >= returnGap {
		p.retried = now
		cmds = append(cmds, s.address(s.active, p.screen.Update(views.Refresh{})))
	}
	for _, part := range p.Needs {
		if due(s.data.State(part)) && now.Sub(s.retried[part]) >= returnGap {
			s.retried[part] = now
			cmds = append(cmds, s.address(noPage, views.Fetch(s.data.Load(part))))
		}
	}
	return tea.Batch(cmds...)
}
