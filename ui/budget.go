package ui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// All pages share the rate limit of the connection, which the API client enforces (see
// apiclient.Client.Held). The root model gives priority to the reads of the visible page and shows
// how long a pause will last.

// stage holds the name of the visible page. Goroutines that send requests read it.
type stage struct{ front atomic.Value }

// background returns a context for the read requests of a page. The requests have low priority
// while another page is visible.
func (s *stage) background(ctx context.Context, page string) context.Context {
	return apiclient.WithLowPriority(ctx, func() bool { return s.front.Load() != page })
}

// pauseText says for how long a rate limit delays read requests. It returns "" if delay is not
// positive.
func pauseText(delay time.Duration) string {
	if delay <= 0 {
		return ""
	}
	return "rate limited, retry in " + panel.Age(delay+time.Second-time.Nanosecond)
}

// refresh returns the command that fetches all figures and the visible page's own data again. While
// a rate limit delays reads, it returns the command that warns about the delay instead, because
// delayed reads resume by themselves.
func (m *Model) refresh() tea.Cmd {
	if text := pauseText(m.session.connection.Client.Held()); text != "" {
		return views.Warn(text)
	}
	if !m.schedule.mayRefresh(m.options.Now()) {
		return nil
	}
	s := m.session
	return tea.Batch(
		s.address(noPage, m.schedule.refresh(s.data, m.options.Now())),
		s.address(s.active, m.front().Update(views.Refresh{})),
		s.address(noPage, s.beginAsking()),
	)
}

// reloadAll returns the command that fetches all figures and the own data of all opened pages
// again.
func (m *Model) reloadAll() tea.Cmd {
	s := m.session
	cmds := []tea.Cmd{s.address(noPage, m.schedule.reload(s.data, m.options.Now()))}
	for i, p := range s.pages {
		if p.opened {
			cmds = append(cmds, s.address(i, p.screen.Update(views.Refresh{})))
		}
	}
	return tea.Batch(cmds...)
}

// focus stores whether the terminal has the focus. When the terminal regains the focus, it returns
// the command that fetches what became due in the meantime.
func (m *Model) focus(on bool) tea.Cmd {
	m.schedule.unwatched = !on
	switch {
	case m.session == nil:
		return nil
	case !on:
		return m.broadcast(tea.BlurMsg{})
	}
	return tea.Batch(m.broadcast(tea.FocusMsg{}), m.tick(views.Tick{Now: m.options.Now()}))
}
