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

// All views share the connection's request budget, which the client enforces (see
// apiclient.Client.Held). The root gives the reads of the visible page priority and shows how long
// a pause lasts.

// stage holds the name of the page in front; request goroutines read it.
type stage struct{ front atomic.Value }

// background returns a context whose reads have low priority while another page is in front.
func (s *stage) background(ctx context.Context, page string) context.Context {
	return apiclient.WithLowPriority(ctx, func() bool { return s.front.Load() != page })
}

// pauseText says how long reads are paused, or "" when they are not.
func pauseText(held time.Duration) string {
	if held <= 0 {
		return ""
	}
	return "rate limited, retry in " + panel.Age(held+time.Second-time.Nanosecond)
}

// refresh fetches everything again. During a pause that the server asked for it only shows a
// notice: waiting reads resume by themselves.
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

// focus records whether the terminal has the focus, and fetches what is due when it regains it.
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
