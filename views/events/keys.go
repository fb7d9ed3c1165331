package events

import (
	"charm.land/bubbles/v2/key"

	"tarmac/client/resource"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	views.PromptKeys
	Pause, Order, Types, Search, Remove key.Binding
	Follow, CopyID, CopyJSON, Export    key.Binding
}

func newKeyMap(env views.Env) keyMap {
	return keyMap{
		Navigation: views.NewNavigation(),
		PromptKeys: views.NewPromptKeys("apply"),
		Pause:      key.NewBinding(key.WithKeys("space"), key.WithHelp("space", "pause")),
		Order:      key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "oldest first")),
		Types:      key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "types")),
		Search:     key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter")),
		Remove:     key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "remove last filter")),
		Follow:     key.NewBinding(key.WithKeys("enter", "right", "l"), key.WithHelp("enter", "open subject")),
		CopyID:     key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy id")),
		CopyJSON:   key.NewBinding(key.WithKeys("Y"), key.WithHelp("Y", "copy JSON")),
		Export:     views.ExportKey(env),
	}
}

// enable enables the keys that have an effect in the current state, disables the other keys, and
// updates the help texts that depend on the state.
func (s *Screen) enable() {
	k, state := &s.keys, s.data.Feed.State()
	e, listed := s.current()
	_, atOldest := s.data.Feed.Older()
	subject, _ := s.subject()

	k.Pause.SetEnabled(state.HasFigures() || state.Status == resource.Empty)
	k.Types.SetEnabled(state.HasFigures())
	k.Search.SetEnabled(state.HasFigures())
	k.Remove.SetEnabled(s.Filtered())
	k.Order.SetEnabled(listed)
	k.Open.SetEnabled(listed && !s.detail.open)
	k.Back.SetEnabled(s.detail.open)
	k.Follow.SetEnabled(subject != "")
	k.CopyID.SetEnabled(listed && e.ID != "")
	k.CopyJSON.SetEnabled(listed && e.Omitted == 0 && e.Unreadable == nil)
	k.Export.SetEnabled(listed)
	// With no match yet, the movement keys still read older events.
	k.EnableMoves(listed || state.HasFigures() && len(s.events) > 0 && !atOldest)

	k.Follow.SetHelp("enter", "open "+subject)
	k.Pause.SetHelp("space", either(s.list.paused, "resume", "pause"))
	k.Order.SetHelp("o", either(s.list.newestFirst, "oldest first", "newest first"))
	k.Top.SetHelp("g", either(s.list.newestFirst, "newest", "oldest"))
	k.Bottom.SetHelp("G", either(s.list.newestFirst, "oldest", "newest"))
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (s *Screen) newestKey() string {
	return either(s.list.newestFirst, s.keys.Top.Help().Key, s.keys.Bottom.Help().Key)
}

func (s *Screen) oldestKey() string {
	return either(s.list.newestFirst, s.keys.Bottom.Help().Key, s.keys.Top.Help().Key)
}

// Help returns the keys that work in the current state, grouped for the help page.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	if keys, open := views.OpenHelp(&s.question, &s.file); open {
		return keys
	}
	switch s.mode {
	case searching:
		return k.PromptHelp("Filter")
	case picking:
		k.Up.SetEnabled(true)
		k.Down.SetEnabled(true)
		return []views.HelpGroup{{Title: "Types", Bindings: []key.Binding{k.Up, k.Down, k.Apply, k.Cancel}}}
	}
	in := k.Open
	if s.detail.open {
		in = k.Follow
	}
	return []views.HelpGroup{
		{Title: "Events", Bindings: []key.Binding{
			k.Back, in, k.Search, k.Types, k.Pause, k.Export, k.Remove, k.CopyID, k.Order, k.CopyJSON,
		}},
		{Title: "List", Bindings: k.Moves()},
	}
}
