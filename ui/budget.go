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

// All views share the connection's budget of requests, which the client keeps (see
// apiclient.Client.Held). The root adds what is in front, whose reads come first, and
// says how long the server wants to be left alone.

// stage is the name of the page in front, for the goroutines that read.
type stage struct{ front atomic.Value }

// behind returns a context whose reads give way while another page is in front.
func (s *stage) behind(ctx context.Context, page string) context.Context {
	return apiclient.WithLowPriority(ctx, func() bool { return s.front.Load() != page })
}

// pauseText says for how long nothing is read; "" when reads are sent.
func pauseText(held time.Duration) string {
	if held <= 0 {
		return ""
	}
	return "rate limited, retry in " + panel.Age(held+time.Second-time.Nanosecond)
}

// refresh fetches everything again, unless the server wants to be left alone: what
// waits is fetched by itself then.
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

// focus notes whether anybody looks. Who comes back finds what is due on its way.
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
