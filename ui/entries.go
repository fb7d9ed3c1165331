package ui

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
	"tarmac/views"
)

// find opens the palette with pages, actions and settings, and with the records in memory that
// match what is typed.
func (m *Model) find() tea.Cmd { return m.openFinder(finding) }

// listKeys opens the same palette with the keys of the page first.
func (m *Model) listKeys() tea.Cmd { return m.openFinder(keysList) }

func (m *Model) openFinder(kind paletteKind) tea.Cmd {
	title, hint := "Find", "page, action, setting, name, invoice or month"
	if kind == keysList {
		title, hint = "Keys", "what it does, or its key"
	}
	m.palette = newPalette(title, hint, m.entries(kind))
	m.palette.kind = kind
	indexing := m.session.index.update(m.session)
	m.palette.finds = m.session.index.find
	return indexing
}

// jump opens the palette with the other pages on which the row under the cursor is.
func (m *Model) jump() tea.Cmd {
	var places []entry
	for _, p := range m.places() {
		places = append(places, entry{name: p.Label, run: func() tea.Cmd { return m.goTo(p.To) }})
	}
	m.palette = newPalette("Where else", "filter", places)
	m.palette.enter = "go · esc there returns"
	return nil
}

// places returns the places of the row under the cursor that are on other pages of the session.
func (m *Model) places() []views.Place {
	places := m.front().State().Places
	if places == nil {
		return nil
	}
	return slices.DeleteFunc(places(), func(p views.Place) bool {
		return p.To.Screen == m.session.pages[m.session.active].Name || m.session.indexOf(p.To.Screen) < 0
	})
}

// entries returns the entries of the palette: opening a page, the enabled keys of the visible
// screen, the global keys, further actions of pages, and settings. The list of keys begins with
// those of the screen.
func (m *Model) entries(kind paletteKind) []entry {
	pages, more := m.pageEntries()
	keys := m.keyEntries(kind)
	if kind == keysList {
		return slices.Concat(keys, pages, more, m.settingEntries())
	}
	return slices.Concat(pages, keys, more, m.settingEntries())
}

// pageEntries returns the entries that open pages, and those that open a part of a page.
func (m *Model) pageEntries() (pages, parts []entry) {
	for _, p := range m.session.pages {
		if p.Writes && m.session.readOnly {
			continue
		}
		pages = append(pages, entry{group: "Pages", name: cmp.Or(p.Action, p.Title), hint: p.Digit, key: p.Digit,
			run: func() tea.Cmd { return m.goTo(views.Visit{Screen: p.Name, Target: p.Target}) }})
		for _, a := range p.Entries {
			parts = append(parts, entry{group: "Parts of pages", name: a.Label, run: func() tea.Cmd {
				return m.goTo(views.Visit{Screen: p.Name, Target: a.Target})
			}})
		}
	}
	return pages, parts
}

// keyEntries returns the entries of the enabled keys, first those of the visible screen.
func (m *Model) keyEntries(kind paletteKind) (out []entry) {
	taken := map[string]bool{":": kind == finding, "?": kind == keysList} // the palette does not list itself
	add := func(group string, b key.Binding, run func(name string) tea.Cmd) {
		if !b.Enabled() || len(b.Keys()) == 0 || taken[b.Keys()[0]] {
			return
		}
		name := b.Keys()[0]
		taken[name] = true
		shown := m.remap.label(b).Help().Key
		out = append(out, entry{group: group, name: b.Help().Desc, hint: shown, key: shown,
			run: func() tea.Cmd { return run(name) }})
	}
	press := func(name string) tea.Cmd { return m.runAction(keyPress(name)) }
	for _, g := range m.front().Help() {
		for _, b := range g.Bindings {
			add(cmp.Or(g.Title, "This page"), b, press)
		}
	}
	for _, actions := range []views.Actions{m.keys.page, m.keys.frame} {
		for _, b := range actions.Help("").Bindings {
			add("Everywhere", b, press)
		}
	}
	for _, b := range m.keys.program.Help("").Bindings {
		add("Everywhere", b, func(name string) tea.Cmd {
			cmd, _ := m.keys.program.Press(keyPress(name))
			return cmd
		})
	}
	return out
}

// settingEntries returns the entries that switch the profile, the theme and the mouse.
func (m *Model) settingEntries() []entry {
	prefix := "profile: "
	if m.options.Remote {
		prefix = "organization: "
	}
	out := m.profileEntries(prefix)
	for _, name := range theme.Names() {
		out = append(out, entry{name: "theme: " + name, run: func() tea.Cmd { return m.chooseTheme(name) }})
	}
	mouse := "mouse: on"
	if m.options.Mouse {
		mouse = "mouse: off"
	}
	out = append(out, entry{name: mouse, run: m.switchMouse})
	if m.session.indexOf(views.Books) < 0 && m.options.Books != nil && !m.options.Remote {
		out = append(out, entry{name: "import: bank files into your own books", run: func() tea.Cmd {
			return m.switchTo(m.options.Books)
		}})
	}
	for i := range out {
		out[i].group = "Settings"
	}
	return out
}
