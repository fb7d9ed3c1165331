package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/views"
)

// returnGap is the minimum time between two retries caused by returning to a page, so that
// switching back and forth does not send requests.
const returnGap = 5 * time.Second

// retryFailed returns the command that fetches again what the visible page failed to load and has
// no older figures for. Otherwise refused requests are retried once a minute, which is too slow for
// a user who returns to the page. While the server is unreachable, only the feed is polled.
func (m *Model) retryFailed() tea.Cmd {
	s, now := m.session, m.options.Now()
	p := &s.pages[s.active]
	policy := resource.Policy{Returned: true, Unreachable: s.data.Unreachable()}
	due := func(state resource.State) bool { return resource.Due(state, now, policy) }
	var cmds []tea.Cmd
	if slices.ContainsFunc(p.screen.Fetched(), due) && now.Sub(p.retried) >= returnGap {
		p.retried = now
		cmds = append(cmds, s.address(s.active, p.screen.Refresh()))
	}
	for _, part := range p.Needs {
		if due(s.data.State(part)) && now.Sub(s.retried[part]) >= returnGap {
			s.retried[part] = now
			cmds = append(cmds, s.address(noPage, views.Fetch(s.data.Load(part))))
		}
	}
	return tea.Batch(cmds...)
}
