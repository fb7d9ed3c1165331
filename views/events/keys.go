package events

import (
	"charm.land/bubbles/v2/key"

	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	Pause, Order, Types, Search, Next, Previous key.Binding
	Follow, Apply, Cancel                       key.Binding
}

func newKeyMap() keyMap {
	k := keyMap{
		Navigation: views.NewNavigation(),
		Pause:      key.NewBinding(key.WithKeys("space"), key.WithHelp("space", "pause")),
		Order:      key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "newest first or last")),
		Types:      key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "types")),
		Search:     key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "search")),
		Next:       key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "older match")),
		Previous:   key.NewBinding(key.WithKeys("N"), key.WithHelp("N", "newer match")),
		Follow:     key.NewBinding(key.WithKeys("enter", "right", "l"), key.WithHelp("enter", "what it is about")),
		Apply:      key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "apply")),
		Cancel:     key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave as it was")),
	}
	// Space pauses here, as in every pager of a stream.
	k.PageDown.SetKeys("pgdown", "ctrl+f")
	return k
}

// enable switches off what would do nothing now. Subject is what the event in the
// detail is about, "" where that is no screen's.
func (k *keyMap) enable(searching, listed, open, paused, newestFirst bool, subject string) {
	top, bottom := "oldest", "newest"
	if newestFirst {
		top, bottom = bottom, top
	}
	k.Top.SetHelp("g", top)
	k.Bottom.SetHelp("G", bottom)
	k.Next.SetEnabled(searching)
	k.Previous.SetEnabled(searching)
	k.Open.SetEnabled(listed && !open)
	k.Back.SetEnabled(open)
	k.Follow.SetEnabled(subject != "")
	k.Follow.SetHelp("enter", "open the "+subject)
	if paused {
		k.Pause.SetHelp("space", "go on")
	} else {
		k.Pause.SetHelp("space", "pause")
	}
}

// Help returns the keys that work now.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	switch s.mode {
	case searching:
		return []views.HelpGroup{{Title: "Search", Bindings: []key.Binding{k.Apply, k.Cancel}}}
	case picking:
		return []views.HelpGroup{{Title: "Types", Bindings: []key.Binding{k.Up, k.Down, k.Apply, k.Cancel}}}
	}
	in := k.Open
	if s.open {
		in = k.Follow
	}
	return []views.HelpGroup{
		{Title: "Events", Bindings: []key.Binding{k.Back, in, k.Pause, k.Types, k.Search, k.Next, k.Previous, k.Order}},
		{Title: "List", Bindings: k.Moves()},
	}
}
