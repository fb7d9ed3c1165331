package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views/parts/panel"
)

// askingDelay is how long a refresh may take before the header says that it is under way.
const askingDelay = 300 * time.Millisecond

// asking is a refresh that the user has requested and whose answers are not all there. In the zero
// value, there is none.
type asking struct {
	page  int                // page whose own data is fetched
	shown bool               // askingDelay has passed
	end   context.CancelFunc // ends the wait for askingDelay
}

// askingDue is the message that askingDelay has passed since a refresh began.
type askingDue struct{}

// beginAsking notes that a refresh has begun. It returns the command that waits for askingDelay.
func (s *session) beginAsking() tea.Cmd {
	if s.asking.end != nil {
		s.asking.page = s.active
		return nil
	}
	ctx, end := context.WithCancel(s.ctx)
	s.asking = asking{page: s.active, end: end}
	return func() tea.Msg {
		timer := time.NewTimer(askingDelay)
		defer timer.Stop()
		select {
		case <-timer.C:
			return askingDue{}
		case <-ctx.Done():
			return nil
		}
	}
}

// endAsking notes whether all answers to a refresh have arrived.
func (s *session) endAsking() {
	waiting := func(state resource.State) bool { return state.Waiting }
	waitingFor := func(part snapshot.Part) bool { return s.data.State(part).Waiting }
	if s.asking.end == nil || slices.ContainsFunc(snapshot.Parts[:], waitingFor) ||
		slices.ContainsFunc(s.pages[s.asking.page].screen.State().Fetched, waiting) {
		return
	}
	s.asking.end()
	s.asking = asking{}
}

// awaited says for the header that answers to a refresh are awaited, or that the server has not
// answered for too long. It returns "" if neither is the case.
func (s *session) awaited() string {
	if silent := s.connection.Client.Overdue(); silent > 0 {
		return "no answer for " + panel.Age(silent)
	}
	if s.asking.shown {
		return "asking…"
	}
	return ""
}
