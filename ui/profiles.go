package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/welcome"
)

// listProfiles opens the list of profiles with the cursor on the current profile.
func (m *Model) listProfiles() {
	title, prompt := "Profiles", "filter profiles"
	if m.options.Remote {
		title, prompt = "Organizations", "filter organizations"
	}
	m.palette = newPalette(title, prompt, m.profileEntries(""))
	m.palette.enter = "switch"
	if m.session != nil && m.session.profile != nil {
		m.palette.cursor = max(0, slices.Index(m.profiles(), m.session.profile))
	}
}

// profileEntries returns an entry for each profile, and one for connecting to another server. The
// prefix precedes each profile's name.
func (m *Model) profileEntries(prefix string) []entry {
	var out []entry
	for _, p := range m.profiles() {
		hint := p.Hint
		if m.session != nil && m.session.profile == p {
			hint = "current"
		}
		out = append(out, entry{name: prefix + p.Name, hint: hint, run: func() tea.Cmd { return m.switchTo(p) }})
	}
	if m.options.Connect != nil && m.session != nil {
		out = append(out, entry{name: "connect to another server…", hint: "base URL and token", run: m.askForServer})
	}
	return out
}

// profiles returns all profiles, with the demo last.
func (m *Model) profiles() []*Profile {
	places := m.options.Profiles
	if m.options.Demo != nil {
		places = append(places[:len(places):len(places)], m.options.Demo)
	}
	return places
}

// switchTo connects to a profile. If unsaved input would be lost, it asks first.
func (m *Model) switchTo(p *Profile) tea.Cmd {
	if m.session != nil && m.session.profile == p {
		return nil
	}
	return m.confirmLoss(leaveAnyway(), func() tea.Cmd {
		if m.welcoming() {
			m.welcome.Wait()
		}
		return m.connect(p, p, true)
	})
}

// firstStep returns what the page Books begins with in new books.
func (m *Model) firstStep() views.BooksTarget {
	if m.connectsBank {
		return views.BooksTarget{Connect: true}
	}
	return views.BooksTarget{Import: true}
}

// askForServer opens the welcome page, which asks for a server and a token.
func (m *Model) askForServer() tea.Cmd {
	return m.confirmLoss(leaveAnyway(), func() tea.Cmd {
		m.choosingServer = true
		return m.welcome.Ask()
	})
}

// profileForAddress returns a profile for the address and token that the user entered on the
// welcome page.
func (m *Model) profileForAddress(c welcome.ChooseServer) *Profile {
	return &Profile{Name: c.BaseURL, Open: func(ctx context.Context) (Connection, error) {
		return m.options.Connect(ctx, c.BaseURL, c.Token)
	}}
}
