package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/views"
)

// returnGap is the least time between two questions for the same because somebody came
// back: going to and fro is not asking.
const returnGap = 5 * time.Second

// retryFailed fetches again what the page in front has only a failure to show of. A
// refusal is otherwise asked about once a minute, and whoever comes back wants to know
// now. While the server cannot be reached the feed finds out first.
func (m *Model) retryFailed() tea.Cmd {
	s, now := m.session, m.options.Now()
	p := &s.pages[s.active]
	policy := resource.Policy{Returned: true, Away: s.data.Unreachable()}
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
