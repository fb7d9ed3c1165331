package ui

import (
	"charm.land/bubbles/v2/key"

	"tarmac/ui/terminal"
	"tarmac/views"
)

// keyMap holds the global keys, which work on every screen.
type keyMap struct {
	Screens  []key.Binding // one per screen, in the order of the tab line
	Palette  key.Binding
	Profiles key.Binding
	Help     key.Binding
	Refresh  key.Binding
	Details  key.Binding
	Mask     key.Binding
	Theme    key.Binding
	Redraw   key.Binding
	Back     key.Binding
	Quit     key.Binding
	Suspend  key.Binding
	Abort    key.Binding
}

// newKeyMap returns the keys for the pages. remote is Options.Remote.
func newKeyMap(pages []page, remote bool) keyMap {
	k := keyMap{
		Palette:  key.NewBinding(key.WithKeys(":", "ctrl+k"), key.WithHelp(":", "commands")),
		Profiles: key.NewBinding(key.WithKeys("p"), key.WithHelp("p", "profiles")),
		Help:     key.NewBinding(key.WithKeys("?"), key.WithHelp("?", "help")),
		Refresh:  key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "refresh")),
		Details:  key.NewBinding(key.WithKeys("!"), key.WithHelp("!", "problem details")),
		Mask:     key.NewBinding(key.WithKeys("*"), key.WithHelp("*", "mask")),
		Theme:    key.NewBinding(key.WithKeys("T"), key.WithHelp("T", "next theme")),
		Redraw:   key.NewBinding(key.WithKeys("ctrl+l"), key.WithHelp("ctrl+l", "redraw")),
		Back:     key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back")),
		Quit:     key.NewBinding(key.WithKeys("q"), key.WithHelp("q", "quit")),
		Suspend:  key.NewBinding(key.WithKeys("ctrl+z", "ctrl+alt+z"), key.WithHelp("ctrl+z", "suspend, resume with fg")),
		Abort:    key.NewBinding(key.WithKeys("ctrl+c", "ctrl+alt+c"), key.WithHelp("ctrl+c", "force quit")),
	}
	if remote {
		k.Suspend.SetHelp("ctrl+z", "how to suspend ssh")
		k.Profiles.SetHelp("p", "organizations")
	} else {
		k.Suspend.SetEnabled(terminal.CanSuspend())
	}
	for _, p := range pages {
		b := key.NewBinding(key.WithKeys(p.Digit), key.WithHelp(p.Digit, p.Title))
		b.SetEnabled(p.Digit != "")
		k.Screens = append(k.Screens, b)
	}
	return k
}

// actions returns the global keys that do not open a screen.
func (k keyMap) actions() []key.Binding {
	return []key.Binding{k.Back, k.Refresh, k.Details, k.Help, k.Profiles, k.Mask, k.Theme, k.Redraw, k.Quit}
}

func (k keyMap) group() views.HelpGroup {
	bindings := append([]key.Binding{}, k.Screens...)
	bindings = append(append(bindings, k.Palette), k.actions()...)
	return views.HelpGroup{Title: "Everywhere", Bindings: append(bindings, k.Suspend, k.Abort)}
}
