package books

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/table"
)

// actions are the keys of the lists. A narrow footer shows only the first ones, so the keys of the
// focused list come first.
type actions struct{ list, connections views.Actions }

func (s *Screen) newActions() actions {
	open := views.Open(func() bool { return s.selected() && !s.opened }, views.Do(func() {
		s.opened = true
		s.detail.Top()
	}))
	open.Help = "details"
	first := views.Actions{views.Back(func() bool { return s.opened }, s.Back), open}
	imports, providers := s.importActions(), s.providerActions()
	connect, sync, disconnect := providers[:1], providers[1:2], providers[2:]
	last := s.lastActions()
	return actions{
		list:        slices.Concat(first, imports, connect, sync, disconnect, last),
		connections: slices.Concat(first, sync, connect, disconnect, imports, last),
	}
}

// active returns the keys for the list with the focus.
func (s *Screen) active() views.Actions {
	if s.list == onConnections {
		return s.actions.connections
	}
	return s.actions.list
}

// selected reports whether there is an account, a connection or an import under the cursor.
func (s *Screen) selected() bool {
	return s.selectedAccount() != nil || s.selectedConnection() != nil || s.selectedImport() != nil
}

// known reports whether the books have been read and may be changed.
func (s *Screen) known() bool {
	_, known := s.contents.Value()
	return !s.env.ReadOnly && known
}

func (s *Screen) importActions() views.Actions {
	return views.Actions{
		{Key: "a", Help: "answer questions", When: s.hasQuestions, Do: s.readQuestions},
		{Key: "n", Help: "import files", When: s.known, Do: s.openIntake},
		{Key: "u", Also: []string{"delete", "D"}, Help: "undo import", When: func() bool {
			value, _ := s.contents.Value()
			return !s.env.ReadOnly && len(value.Imports) > 0
		}, Do: s.askUndo},
		{Key: "m", Help: "currency", When: s.known, Do: views.Do(s.openCurrency)},
		{Key: "A", Help: "change an answer", When: s.known, Do: s.readAnswers},
	}
}

func (s *Screen) providerActions() views.Actions {
	connected := func() bool {
		value, _ := s.contents.Value()
		return !s.env.ReadOnly && len(value.connections) > 0
	}
	return views.Actions{
		{Key: "c", Help: "connect a provider", When: func() bool { return s.known() && s.providers != nil },
			Do: views.Do(s.openConnect)},
		{Key: "s", Help: "read now", When: connected, Do: s.syncNow},
		{Key: "d", Help: "disconnect", When: connected, Do: s.askDisconnect},
	}
}

func (s *Screen) lastActions() views.Actions {
	several := func() bool { return len(s.lists()) > 1 && !s.opened }
	return views.Actions{
		{Key: "y", When: s.selected, Do: s.copy, Says: func() string {
			return [...]string{onAccounts: "copy account", onConnections: "copy name", onImports: "copy id"}[s.list]
		}},
		{Key: "tab", Help: "switch panel", When: several, Do: views.Do(func() { s.switchList(1) })},
		{Key: "shift+tab", Hidden: true, When: several, Do: views.Do(func() { s.switchList(-1) })},
		{Key: "n", Also: []string{"a", "u", "delete", "D", "m", "c", "s", "d"}, Hidden: true,
			When: func() bool { return s.env.ReadOnly },
			Do:   func() tea.Cmd { return views.Warn("read-only session: the books cannot be changed") }},
	}
}

// Help returns the keys of the open dialog, or else of the lists.
func (s *Screen) Help() []views.HelpGroup {
	if d := s.dialog(); d != nil {
		groups := []views.HelpGroup{d.keys.Help(d.help)}
		if d.move != nil {
			groups = append(groups, s.nav.Help("List", true))
		}
		return groups
	}
	return []views.HelpGroup{s.active().Help("Books"), s.nav.Help("List", s.selected())}
}

func (s *Screen) press(press tea.KeyPressMsg) tea.Cmd {
	if d := s.dialog(); d != nil {
		return d.press(press)
	}
	if cmd, handled := s.active().Press(press); handled {
		return cmd
	}
	if s.opened {
		lines, _ := s.nav.LineMove(press, s.detail.Rows())
		s.detail.Scroll(lines)
	} else if s.tables()[s.list].Update(press, s.nav) {
		s.detail.Top()
	}
	return nil
}

// click moves the cursor to the clicked row, or opens the row that already has it.
func (s *Screen) click(x, y int) tea.Cmd {
	if s.mode != browsing || s.opened || !s.contents.State().HasFigures() {
		return nil
	}
	inner, _ := s.inner(s.width, s.height)
	x -= (s.width - inner) / 2
	y -= len(s.message())
	for list, height := range s.heights().lists {
		if y >= 0 && y < height {
			return s.clickRow(focus(list), s.tables()[list], x, y-1)
		}
		y -= height
	}
	return nil
}

func (s *Screen) clickRow(list focus, t *table.Table, x, y int) tea.Cmd {
	previous := s.list
	s.focusList(list)
	row, ok := t.At(x, y)
	switch {
	case ok && previous == list && t.Cursor() == row:
		return s.press(views.Enter())
	case ok:
		t.SetCursor(row)
		s.detail.Top()
	}
	return nil
}
