package intent

import (
	"charm.land/bubbles/v2/key"

	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	views.PromptKeys
	Ask, Copy, Leave key.Binding
}

func newKeyMap() keyMap {
	return keyMap{
		Navigation: views.NewNavigation(),
		PromptKeys: views.NewPromptKeys("look up"),
		Ask:        key.NewBinding(key.WithKeys("i"), key.WithHelp("i", "another id")),
		Copy:       key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy id")),
		Leave:      key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back")), // for the help only
	}
}

// enable enables the keys that have an effect. hasID says that an ID was chosen. hasIntent says
// that its payment intent is on the screen.
func (k *keyMap) enable(hasID, hasIntent bool) {
	k.Copy.SetEnabled(hasID)
	k.EnableMoves(hasIntent)
	if hasID {
		k.Ask.SetHelp("i", "another id")
	} else {
		k.Ask.SetHelp("i", "enter an id")
	}
}

// Help returns the keys that work now.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	if s.prompt.Typing() {
		return k.PromptHelp("Id")
	}
	return []views.HelpGroup{
		{Title: "Payment intent", Bindings: []key.Binding{k.Leave, k.Ask, k.Copy}},
		{Title: "Text", Bindings: k.Moves()},
	}
}
