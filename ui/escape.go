package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// isEscape reports whether a key with alt counts as esc. Most terminals send alt+x like esc
// followed by x, so that on a slow connection esc and the next key arrive as one alt key. The next
// key is then dropped, since the user may really have pressed alt. An alt key counts as itself if a
// binding or a text field uses it.
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
