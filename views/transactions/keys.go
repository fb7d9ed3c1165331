package transactions

import (
	"charm.land/bubbles/v2/key"

	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	Direction, Dates, Keyword, RemoveLast, RemoveAll, GoTo key.Binding
	Apply, Cancel                                          key.Binding
}

func newKeyMap() keyMap {
	k := keyMap{
		Navigation: views.NewNavigation(),
		Direction:  key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "in, out or both")),
		Dates:      key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "dates")),
		Keyword:    key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "keyword")),
		RemoveLast: key.NewBinding(key.WithKeys("x", "backspace"), key.WithHelp("x", "remove the last filter")),
		RemoveAll:  key.NewBinding(key.WithKeys("X"), key.WithHelp("X", "remove all filters")),
		GoTo:       key.NewBinding(key.WithKeys("t", "%"), key.WithHelp("t", "go to a date, % or row")),
		Apply:      key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "apply")),
		Cancel:     key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave as it was")),
	}
	k.Top.SetHelp("g", "newest")
	k.Bottom.SetHelp("G", "oldest")
	return k
}

// enable switches off what would do nothing now.
func (k *keyMap) enable(filtered, listed, open, travelling bool) {
	k.RemoveLast.SetEnabled(filtered)
	k.RemoveAll.SetEnabled(filtered)
	k.Open.SetEnabled(listed && !open)
	k.Back.SetEnabled(open || travelling)
	k.GoTo.SetEnabled(listed)
}

// Help returns the keys that work now.
func (s *Screen) Help() []views.HelpGroup {
	if s.Typing() {
		title := "Filter"
		if s.typing == toPlace {
			title = "Go to"
		}
		return []views.HelpGroup{{Title: title, Bindings: []key.Binding{s.keys.Apply, s.keys.Cancel}}}
	}
	k := s.keys
	return []views.HelpGroup{
		{Title: "Transactions", Bindings: []key.Binding{k.Back, k.Open, k.Keyword, k.Dates, k.Direction, k.GoTo, k.RemoveLast, k.RemoveAll}},
		{Title: "List", Bindings: k.Moves()},
	}
}
