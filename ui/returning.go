package ui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/views"
)

// returnGap is the least time between two questions for the same because somebody came
// back: going to and fro is not asking.
const returnGap = 5 * time.Second

// returned asks again for what the page in front has only a failure to show of. A
// refusal is otherwise asked about once a minute, and whoever comes back wants to know
// now. While the server cannot be reached the feed finds out first.
func (m *Model) returned() tea.Cmd {
	s, now := m.session, m.options.Now()
	if s.data.Unreachable() {
		return nil
	}
	var cmds []tea.Cmd
	p := &s.pages[s.active]
	failed := slices.ContainsFunc(p.screen.Fetched(), func(f views.Fetched) bool { return !f.Waiting && wanting(f.State) })
	if failed && now.Sub(p.retried) >= returnGap {
		p.retried = now
		cmds = append(cmds, s.address(s.active, p.screen.Refresh()))
	}
	for _, part := range p.Needs {
		if state, waiting := s.data.State(part); !waiting && wanting(state) && now.Sub(s.retried[part]) >= returnGap {
			s.retried[part] = now
			cmds = append(cmds, s.address(noPage, views.Fetch(s.data.Load(part))))
		}
	}
	return tea.Batch(cmds...)
}

// wanting reports whether a failure stands where figures would be. A token that the
// server does not know is not cured by asking.
func wanting(state resource.State) bool {
	return state.Err != nil && !state.HasFigures() && !errors.Is(state.Err, apiclient.ErrUnauthorized)
}
