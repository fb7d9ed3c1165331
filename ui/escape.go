package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// isEscape reports whether a key with alt is taken as esc. Most terminals send the two
// alike: where a slow connection brings esc and the next key together they read as one.
// The other key is not run, since a person may have pressed it with alt and meant
// something else by that. Fields have uses of their own for alt.
func (m *Model) isEscape(msg tea.KeyPressMsg) bool {
	if m.distinguishesEscape || !msg.Mod.Contains(tea.ModAlt) || m.takesText() {
		return false
	}
	if _, set := m.remap.stands[msg.String()]; set {
		return false
	}
	if _, is := m.remap.translate(press("esc")); !is {
		return false
	}
	return !slices.ContainsFunc(m.helpGroups(), func(g views.HelpGroup) bool { return key.Matches(msg, g.Bindings...) })
}
