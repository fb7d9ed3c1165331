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

// All pages share the connection's rate limit, which the API client enforces (see
// apiclient.Client.Held). The root model gives the reads of the visible page priority and shows how
// long a pause lasts.

// stage holds the name of the visible page, which the goroutines of requests read.
type stage struct{ front atomic.Value }

// background returns a context for the reads of a page. They have low priority while another page
// is visible.
func (s *stage) background(ctx context.Context, page string) context.Context {
	return apiclient.WithLowPriority(ctx, func() bool { return s.front.Load() != page })
}

// pauseText returns the text for reads that a rate limit holds back for a duration, or "" if none
// are held back.
func pauseText(held time.Duration) string {
	if held <= 0 {
		return ""
	}
	return "rate limited, retry in " + panel.Age(held+time.Second-time.Nanosecond)
}

// refresh returns the command that fetches all figures and the visible page's own data again. While
// the server's rate limit holds reads back it returns a warning, since those reads resume by
// themselves.
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
		s.address(s.active, m.front().Refresh()),
	)
}

// focus records whether the terminal has the focus. When the terminal regains it, focus returns the
// command that fetches what became due meanwhile.
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
