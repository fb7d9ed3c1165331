package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
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
	p := &s.pages[s.active]
	if own, ok := p.screen.(views.Asker); ok {
		if state, waiting := own.Asked(); !waiting && wanting(state) && now.Sub(p.again) >= returnGap {
			p.again = now
			return s.own(p.screen.Refresh())
		}
		return nil
	}
	var cmds []tea.Cmd
	for _, part := range seenOn(p.name) {
		if state, waiting := s.data.State(part); !waiting && wanting(state) && now.Sub(s.again[part]) >= returnGap {
			s.again[part] = now
			cmds = append(cmds, views.Fetch(s.data.Load(part)))
		}
	}
	return s.own(tea.Batch(cmds...))
}

// wanting reports whether a failure stands where figures would be. A token that the
// server does not know is not cured by asking.
func wanting(state resource.State) bool {
	return state.Err != nil && !state.HasFigures() && !errors.Is(state.Err, apiclient.ErrUnauthorized)
}

// seenOn returns what a page shows of the snapshot, the feed included.
func seenOn(page string) []snapshot.Part {
	switch page {
	case views.Overview, views.Events:
		return append(partsOf(page), snapshot.Events)
	case views.Propose:
		return []snapshot.Part{snapshot.Ping}
	}
	return partsOf(page)
}
