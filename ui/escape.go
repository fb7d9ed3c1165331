package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// isEscape reports whether a key with alt counts as esc. Most terminals send both alike, so on a
// slow connection esc and the next key arrive as one. The other key is dropped: the person may have
// pressed it with alt to mean something else. Text fields have their own alt keys.
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
