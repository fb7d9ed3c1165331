package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// isEscape reports whether a key press with alt must be handled as esc. Most terminals report alt+x
// as esc followed by x. On a slow connection, esc and the key after it can therefore arrive as one
// key with alt. isEscape returns false for keys with alt that a binding or a text field uses. The
// caller handles esc only and ignores the key after it, because the user may really have pressed
// alt with that key.
func (m *Model) isEscape(msg tea.KeyPressMsg) bool {
	if m.distinguishesEscape || !msg.Mod.Contains(tea.ModAlt) || m.takesText() {
		return false
	}
	if _, set := m.remap.stands[msg.String()]; set {
		return false
	}
	if _, is := m.remap.translate(keyPress("esc")); !is {
		return false
	}
	return !slices.ContainsFunc(m.helpGroups(), func(g views.HelpGroup) bool { return key.Matches(msg, g.Bindings...) })
}
