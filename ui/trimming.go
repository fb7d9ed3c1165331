package ui

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/history"
)

// trimming says when to give memory back to the system, and to collect garbage more often: once the
// history turns out to be large, and after it has been read. Reading it, and computing the first
// figures from it, leaves as much garbage as its rows take.
type trimming struct {
	began bool
	ticks int // since the history has been read
}

// A history of at least largeRows is worth it, trimTicks seconds after it has been read.
const (
	largeRows = 10_000
	trimTicks = 3
)

// tick reports whether memory is to be given back in this second.
func (t *trimming) tick(p history.Progress, isRead bool) bool {
	switch {
	case p.AllRows < largeRows:
		*t = trimming{}
		return false
	case !t.began:
		t.began = true
		return true
	case !isRead:
		t.ticks = 0
		return false
	}
	t.ticks++
	return t.ticks == trimTicks
}

// trim returns the command that gives memory back to the system if that is due, and otherwise nil.
func (m *Model) trim() tea.Cmd {
	s, past := m.session, &m.session.data.History
	if !s.trimming.tick(past.Progress(), past.Progress().Complete || past.IsLimited()) || m.options.Trim == nil {
		return nil
	}
	trim := m.options.Trim
	return func() tea.Msg {
		trim()
		return nil
	}
}
