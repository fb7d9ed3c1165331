package ui

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
	"tarmac/views"
)

// entries returns the entries of the command palette: opening a page, the enabled keys of the
// visible screen, the global keys, further actions of pages, and choosing a profile or a theme.
func (m *Model) entries() []entry {
	var out, actions []entry
	for _, p := range m.session.pages {
		if p.Writes && m.session.readOnly {
			continue
		}
		out = append(out, entry{name: cmp.Or(p.Action, p.Title), hint: p.Digit, run: func() tea.Cmd {
			return m.goTo(views.Visit{Screen: p.Name, Target: p.Target})
		}})
		for _, a := range p.Entries {
			actions = append(actions, entry{name: a.Label, run: func() tea.Cmd {
				return m.goTo(views.Visit{Screen: p.Name, Target: a.Target})
			}})
		}
	}
	taken := map[string]bool{":": true} // the palette does not list itself
	add := func(b key.Binding) {
		if !b.Enabled() || len(b.Keys()) == 0 || taken[b.Keys()[0]] {
			return
		}
		name := b.Keys()[0]
		taken[name] = true
		out = append(
			out,
			entry{
				name: b.Help().Desc,
				hint: m.remap.label(b).Help().Key,
				run:  func() tea.Cmd { return m.runAction(keyPress(name)) },
			},
		)
	}
	for _, g := range m.front().Help() {
		for _, b := range g.Bindings {
			add(b)
		}
	}
	for _, actions := range []views.Actions{m.keys.page, m.keys.frame} {
		for _, b := range actions.Help("").Bindings {
			add(b)
		}
	}
	out = append(out, actions...)
	prefix := "profile: "
	if m.options.Remote {
		prefix = "organization: "
	}
	out = append(out, m.profileEntries(prefix)...)
	for _, name := range theme.Names() {
		out = append(out, entry{name: "theme: " + name, run: func() tea.Cmd { return m.chooseTheme(name) }})
	}
	return out
}
