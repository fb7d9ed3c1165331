package books

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/views"
)

// syncedMsg is the result of reading providers.
type syncedMsg struct {
	number   uint64
	outcomes []ownbooks.Outcome
	err      error
}

// syncNow returns the command that reads the selected connection, or all of them if another list
// has the focus. If the connection asks whether lines may be removed, the user is asked first.
func (s *Screen) syncNow() tea.Cmd {
	c := s.selectedConnection()
	switch {
	case c == nil:
		return s.startSync("", "the providers", false)
	case c.State == ownbooks.Asking:
		s.mode, s.outcome, s.connect = confirmingRemoved, outcome{}, connect{connection: *c}
		return nil
	case !c.Usable():
		return views.Warn(c.Label + " cannot be read: press c")
	}
	return s.startSync(c.ID, c.Label, false)
}

// startSync returns the command that reads the connection with an ID, or all connections for "".
// name describes them to the user.
func (s *Screen) startSync(id, name string, acceptRemoved bool) tea.Cmd {
	s.mode, s.outcome, s.connect = reading, outcome{}, connect{}
	progress := &importing.SyncProgress{Name: name}
	ctx, number := s.start(progress)
	providers := s.providers
	return func() tea.Msg {
		outcomes, err := providers.Sync(ctx, id, acceptRemoved, progress.Waiting)
		return syncedMsg{number, outcomes, err}
	}
}

// finishSync shows what was read. After a change of the books, all pages fetch their figures again.
func (s *Screen) finishSync(msg syncedMsg) tea.Cmd {
	cancelled := s.run.cancelled
	if !s.ended(msg.number) {
		return nil
	}
	s.closeConnect()
	switch {
	case msg.err != nil && cancelled:
		s.outcome = outcome{text: "Cancelled. What was read completely is in the books.", problem: true}
		return changed
	case msg.err != nil:
		s.outcome = outcome{text: errorText(msg.err), problem: true}
		return tea.Batch(s.fetch(), s.noticeIfHidden("a provider could not be read; see the Books page"))
	}
	text, failed := ownbooks.SyncText(msg.outcomes)
	s.outcome = outcome{text: text, problem: failed}
	notice := "the providers are read; see the Books page"
	if failed {
		notice = "a provider could not be read; see the Books page"
	}
	return tea.Batch(changed, s.noticeIfHidden(notice))
}

// removedDialog asks whether missing lines may be removed.
func (s *Screen) removedDialog() *dialog {
	read := func(acceptRemoved bool) func() tea.Cmd {
		return func() tea.Cmd {
			c := &s.connect.connection
			return s.startSync(c.ID, c.Label, acceptRemoved)
		}
	}
	return &dialog{
		help: "Removed lines", back: s.closeDialog,
		keys: views.Actions{
			{Key: "a", Help: "accept the removal", Do: read(true)},
			{Key: "s", Help: "read now", Do: read(false)},
			{Key: "esc", Help: "cancel", Do: views.Do(s.closeDialog)},
		},
		draw: func() string {
			return s.framed(s.connect.connection.Label+" asks you", func(width, _ int) ([]string, int) {
				return s.removedLines(width), 0
			})
		},
	}
}

// disconnectedMsg is the result of disconnecting.
type disconnectedMsg struct {
	number uint64
	forget bool
	err    error
}

// askDisconnect asks whether to disconnect the selected connection.
func (s *Screen) askDisconnect() tea.Cmd {
	c := s.selectedConnection()
	if c == nil {
		s.focusList(onConnections)
		return views.Tell("choose a provider and press d")
	}
	s.mode, s.outcome, s.connect = confirmingDisconnect, outcome{}, connect{connection: *c}
	return nil
}

// disconnectDialog asks whether a provider is disconnected.
func (s *Screen) disconnectDialog() *dialog {
	disconnect := func(forget bool) func() tea.Cmd {
		return func() tea.Cmd { return s.startDisconnect(forget) }
	}
	return &dialog{
		help: "Disconnect", back: s.closeDialog,
		keys: views.Actions{
			{Key: "y", Help: "disconnect, keep lines", Do: disconnect(false)},
			{Key: "f", Help: "disconnect, remove lines", Do: disconnect(true)},
			{Key: "n", Also: []string{"esc"}, Help: "stay connected", Do: views.Do(s.closeDialog)},
		},
		draw: func() string {
			return s.framed("Disconnect a provider", func(width, _ int) ([]string, int) {
				return s.disconnectLines(width), 0
			})
		},
	}
}

// startDisconnect returns the command that disconnects. If forget is true, the lines of the
// connection are removed from the books.
func (s *Screen) startDisconnect(forget bool) tea.Cmd {
	s.mode = disconnecting
	ctx, number := s.start(nil)
	providers, id := s.providers, s.connect.connection.ID
	return func() tea.Msg { return disconnectedMsg{number, forget, providers.Disconnect(ctx, id, forget)} }
}

// finishDisconnect shows how the disconnecting ended.
func (s *Screen) finishDisconnect(msg disconnectedMsg) tea.Cmd {
	if !s.ended(msg.number) {
		return nil
	}
	c := s.connect.connection
	s.closeConnect()
	if msg.err != nil {
		s.outcome = outcome{text: c.Label + " is still connected: " + errorText(msg.err), problem: true}
		return tea.Batch(s.fetch(), s.noticeIfHidden("the provider is still connected; see the Books page"))
	}
	s.opened, s.outcome = false, outcome{text: c.Disconnected(msg.forget)}
	return tea.Batch(changed, s.noticeIfHidden("the provider is disconnected"))
}
