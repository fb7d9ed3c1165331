package ui

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/state"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// keptState is what the next session finds as this one leaves it. A session over SSH keeps nothing.
type keptState struct {
	saved  state.Kept // the latest content that was saved or read
	pages  map[string]state.Shown
	failed bool // the user knows that it cannot be saved
}

// keptSaved is the message that a save has ended.
type keptSaved struct{ err error }

// restoreKept applies what the last session kept, except for what the settings file says.
func (m *Model) restoreKept() {
	k := m.options.Kept
	m.kept = keptState{saved: k, pages: maps.Clone(k.Pages)}
	if m.kept.pages == nil {
		m.kept.pages = map[string]state.Shown{}
	}
	m.appearance.masked = k.Masked
	if k.Theme != "" && !m.options.ThemeSet {
		m.appearance.theme = k.Theme
	}
	if !m.options.MouseSet {
		m.options.Mouse = k.Mouse
	}
}

// restorePages shows on each page of a new session what the last one showed.
func (m *Model) restorePages() {
	for _, p := range m.session.pages {
		if shown, ok := m.kept.pages[p.Name]; ok {
			p.screen.Update(views.Restore{Shown: shown})
		}
	}
}

// currentKept returns what would be kept now.
func (m *Model) currentKept() state.Kept {
	k := m.kept.saved
	if m.appearance.chosen {
		k.Theme = m.appearance.theme
	}
	if !m.options.MouseSet {
		k.Mouse = m.options.Mouse
	}
	k.Masked = m.appearance.masked
	if m.session != nil {
		for _, p := range m.session.pages {
			if shown := p.screen.State().Kept.Shown; shown != (state.Shown{}) {
				m.kept.pages[p.Name] = shown
			} else {
				delete(m.kept.pages, p.Name)
			}
		}
	}
	k.Pages = maps.Clone(m.kept.pages)
	return k
}

// saveKept returns the command that saves what has changed, or nil if nothing has.
func (m *Model) saveKept() tea.Cmd {
	now := m.currentKept()
	if m.options.Remote || m.options.Keeps == nil || now.Equal(m.kept.saved) {
		return nil
	}
	m.kept.saved = now
	folder := m.options.Keeps
	return func() tea.Msg { return keptSaved{state.WriteKept(folder, now)} }
}

// keptNotSaved warns once that nothing can be kept.
func (m *Model) keptNotSaved(err error) tea.Cmd {
	if err == nil || m.kept.failed {
		return nil
	}
	m.kept.failed = true
	return views.Warn(termtext.Line("theme, mouse and sort order are kept until you quit only: " + err.Error()))
}
