package books

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	Other, Import, Undo, Copy  key.Binding
	Connect, Sync, Disconnect  key.Binding
	Toggle, Target, Accept     key.Binding // keys of the choice of accounts, and of removed lines
	KeepLines, Forget, KeepAll key.Binding // keys of the confirmation of disconnecting

	Complete, Submit, Cancel, Next, Previous key.Binding // keys of the prompts
	Yes, No, Anyway                          key.Binding // keys of the preview and of confirmations
	Stop                                     key.Binding // cancels running work
}

func newKeyMap() keyMap {
	return keyMap{
		Navigation: views.NewNavigation(),
		Other:      key.NewBinding(key.WithKeys("tab", "shift+tab"), key.WithHelp("tab", "switch panel")),
		Import:     key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "import files")),
		Undo:       key.NewBinding(key.WithKeys("u", "delete", "D"), key.WithHelp("u", "undo import")),
		Copy:       key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy id")),
		Connect:    key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "connect a provider")),
		Sync:       key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "read now")),
		Disconnect: key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "disconnect")),

		Toggle:    key.NewBinding(key.WithKeys("space", "x"), key.WithHelp("space", "read or leave out")),
		Target:    key.NewBinding(key.WithKeys("left", "right", "h", "l"), key.WithHelp("←→", "account of the books")),
		Accept:    key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "accept the removal")),
		KeepLines: key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "disconnect, keep lines")),
		Forget:    key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "disconnect, remove lines")),
		KeepAll:   key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "stay connected")),

		Complete: key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "complete")),
		Submit:   key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "preview")),
		Cancel:   key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
		Next:     key.NewBinding(key.WithKeys("down", "tab"), key.WithHelp("↓", "next answer")),
		Previous: key.NewBinding(key.WithKeys("up", "shift+tab"), key.WithHelp("↑", "previous answer")),

		Yes:    key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "import")),
		No:     key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n", "back to the files")),
		Anyway: key.NewBinding(key.WithKeys("a"), key.WithHelp("a", "import anyway")),
		Stop:   key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
}

// enable enables the keys that have an effect in the current state and disables the others.
func (s *Screen) enable() {
	k := &s.keys
	value, known := s.contents.Value()
	account, record := s.selectedAccount(), s.selectedImport()
	some := account != nil || record != nil
	k.Import.SetEnabled(!s.env.ReadOnly && known)
	k.Undo.SetEnabled(!s.env.ReadOnly && len(value.Imports) > 0)
	connection := s.selectedConnection()
	some = some || connection != nil
	k.Connect.SetEnabled(!s.env.ReadOnly && known && s.providers != nil)
	k.Sync.SetEnabled(!s.env.ReadOnly && len(value.connections) > 0)
	k.Disconnect.SetEnabled(!s.env.ReadOnly && len(value.connections) > 0)
	k.Copy.SetEnabled(some)
	k.Copy.SetHelp("y", "copy id")
	if account != nil {
		k.Copy.SetHelp("y", "copy account")
	}
	if connection != nil {
		k.Copy.SetHelp("y", "copy name")
	}
	k.Other.SetEnabled(len(s.lists()) > 1 && !s.opened)
	k.Open.SetEnabled(some && !s.opened)
	k.Open.SetHelp("enter", "details")
	k.Back.SetEnabled(s.opened)
	k.EnableMoves(some || s.mode == confirming || s.mode == choosingKind || s.mode == choosingAccounts)

	k.Submit.SetHelp("enter", s.submits())
	if s.mode == asking {
		k.Next.SetEnabled(len(s.intake.question.Choices) > 0)
		k.Previous.SetEnabled(len(s.intake.question.Choices) > 0)
	}
	k.Yes.SetEnabled(s.mode == confirmingUndo || s.mode == confirming && s.importable() == ready)
	k.Yes.SetHelp("y", "import")
	k.No.SetHelp("n", "back to the files")
	if s.mode == confirmingUndo {
		k.Yes.SetHelp("y", "undo import")
		k.No.SetHelp("n", "keep")
	}
	k.Anyway.SetEnabled(s.mode == confirming && s.importable() == contradicting)
	k.Stop.SetEnabled(!s.run.cancelled)
}

// Help returns the keys of the current mode, grouped for the help page.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	switch s.mode {
	case naming:
		return []views.HelpGroup{{Title: "Import", Bindings: []key.Binding{k.Submit, k.Complete, k.Cancel}}}
	case asking:
		return []views.HelpGroup{{Title: "Question", Bindings: []key.Binding{k.Submit, k.Cancel, k.Next, k.Previous}}}
	case confirming:
		return []views.HelpGroup{
			{Title: "Preview", Bindings: []key.Binding{k.Yes, k.Anyway, k.No}}, {Title: "List", Bindings: k.Moves()},
		}
	case confirmingUndo:
		return []views.HelpGroup{{Title: "Undo", Bindings: []key.Binding{k.Yes, k.No}}}
	case choosingKind:
		return []views.HelpGroup{
			{Title: "Connect", Bindings: []key.Binding{k.Submit, k.Cancel}}, {Title: "List", Bindings: k.Moves()},
		}
	case typingToken:
		return []views.HelpGroup{{Title: "Connect", Bindings: []key.Binding{k.Submit, k.Cancel}}}
	case choosingAccounts:
		return []views.HelpGroup{
			{Title: "Accounts", Bindings: []key.Binding{k.Submit, k.Toggle, k.Target, k.Cancel}},
			{Title: "List", Bindings: k.Moves()},
		}
	case confirmingRemoved:
		return []views.HelpGroup{{Title: "Removed lines", Bindings: []key.Binding{k.Accept, k.Sync, k.Cancel}}}
	case confirmingDisconnect:
		return []views.HelpGroup{{Title: "Disconnect", Bindings: []key.Binding{k.KeepLines, k.Forget, k.KeepAll}}}
	case previewing, importing, checking, undoing, connecting, reading, disconnecting:
		return []views.HelpGroup{{Title: "Running", Bindings: []key.Binding{k.Stop}}}
	}
	return []views.HelpGroup{
		{Title: "Books", Bindings: s.bindings()},
		{Title: "List", Bindings: k.Moves()},
	}
}

// bindings returns the keys of the lists, those of the list with the focus first.
func (s *Screen) bindings() []key.Binding {
	k := &s.keys
	if s.list == onConnections {
		return []key.Binding{k.Back, k.Open, k.Sync, k.Connect, k.Disconnect, k.Import, k.Undo, k.Copy, k.Other}
	}
	return []key.Binding{k.Back, k.Open, k.Import, k.Undo, k.Connect, k.Sync, k.Disconnect, k.Copy, k.Other}
}

// submits says what the key enter does in a prompt.
func (s *Screen) submits() string {
	switch s.mode {
	case asking:
		return "answer"
	case choosingKind:
		return "choose"
	case typingToken:
		return "connect"
	case choosingAccounts:
		return "read into the books"
	}
	return "preview"
}

// warnReadOnly returns the command that says why a key that changes the books does nothing. For any
// other key it returns nil.
func (s *Screen) warnReadOnly(press tea.KeyPressMsg) tea.Cmd {
	k := &s.keys
	changes := []key.Binding{k.Import, k.Undo, k.Connect, k.Sync, k.Disconnect}
	if s.env.ReadOnly && slices.ContainsFunc(changes, func(b key.Binding) bool {
		return slices.Contains(b.Keys(), press.String())
	}) {
		return views.Warn("read-only session: the books cannot be changed")
	}
	return nil
}
