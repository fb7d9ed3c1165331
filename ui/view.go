package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// View draws a frame. It is the only place that requests the alternate screen, so that no part of
// the program can leave it by mistake.
func (m *Model) View() tea.View {
	v := tea.NewView(m.render())
	v.AltScreen = true
	v.ReportFocus = !m.leaving
	if m.options.Mouse && !m.leaving {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if !m.leaving {
		v.WindowTitle = m.windowTitle()
	}
	return v
}

// windowTitle returns the name of the program, the profile and the page. Titles reach the terminal
// without escaping, so each part must be one line without control characters.
func (m *Model) windowTitle() string {
	parts := []string{"tarmac"}
	if !m.welcoming() {
		if whose := strings.TrimSpace(termtext.Line(m.session.connection.Profile)); whose != "" {
			parts = append(parts, whose)
		}
		parts = append(parts, m.session.pages[m.session.active].Title)
	}
	return strings.Join(parts, " · ")
}

func (m *Model) render() string {
	if m.leaving || m.width <= 0 || m.height <= 0 {
		return ""
	}
	if m.welcoming() {
		lines := m.drawLayers(m.height)
		if draw := m.top().footer; draw != nil { // the page has no footer of its own
			lines[len(lines)-1] = draw()
		}
		return strings.Join(lines, "\n")
	}
	frame := m.frame()
	if m.theme.Masked {
		frame = mask.Text(frame)
	}
	return frame
}

// frame draws the dashboard while there is a session.
func (m *Model) frame() string {
	s := m.session
	lines := []string{
		header(m.theme, linkOf(s.data, s.connection.Client.Held(), s.awaited(), m.options.Now()), m.headerParts(), m.width),
		tabs(m.theme, s.pages, s.active, m.width),
	}
	lines = append(append(lines, m.withNotice(m.body())...), m.footer())
	if m.height < chromeHeight {
		// A window this low shows only the first lines, beginning with the header.
		return strings.Join(panel.Box(lines, m.width, m.height), "\n")
	}
	return strings.Join(lines, "\n")
}

// headerParts returns what the header shows beside the program's name: the profile, accounts that
// the cash leaves out, and the active modes.
func (m *Model) headerParts() []string {
	parts := []string{m.session.connection.Profile}
	if cash, ok := m.session.data.CashFigures(); ok && cash.OnHand.Names != "" {
		parts = append(parts, "cash without "+cash.OnHand.Names)
	}
	if m.session.readOnly {
		parts = append(parts, "read-only")
	}
	if m.theme.Masked {
		parts = append(parts, "amounts hidden")
	}
	if open := len(m.session.openAlerts); open > 0 {
		parts = append(parts, plural.Count(open, "alert"))
	}
	if titles := m.session.filtered(); len(titles) > 0 {
		parts = append(parts, "filter: "+strings.Join(titles, ", "))
	}
	return parts
}

// body returns the lines between the tab line and the footer.
func (m *Model) body() []string {
	if m.bodyHeight() == 0 {
		return nil
	}
	return m.drawLayers(m.bodyHeight())
}

// withNotice draws the notice over one line of the body: the last line or, if the user is typing
// there, the line above it.
func (m *Model) withNotice(body []string) []string {
	if m.notice.text == "" || m.top().silent || len(body) == 0 {
		return body
	}
	lines := strings.Split(strings.Join(body, "\n"), "\n")
	at := len(lines) - 1
	if at > 0 && m.front().State().Typing {
		at--
	}
	lines[at] = m.notice.over(m.theme, lines[at], m.width)
	return lines
}

// footer draws the footer of the uppermost layer, which is usually its keys. On a screen too low
// for a body, a notice takes its place.
func (m *Model) footer() string {
	help := m.finderKeys()
	switch {
	case m.top().footer != nil:
		return m.top().footer()
	case m.notice.text != "" && !m.top().silent && m.bodyHeight() == 0:
		_, right := footerKeys(m.theme, nil, nil, help, m.width)
		return spread(m.notice.line(m.theme), hints(m.theme, right), m.width)
	}
	here, always := m.activeKeys()
	return footer(m.theme, here, always, help, m.width)
}

// finderKeys returns the keys that find pages and list keys, disabled where they are text or a
// dialog is open.
func (m *Model) finderKeys() []key.Binding {
	keys := m.keys.page.Bindings(":", "?")
	for i := range keys {
		keys[i] = m.remap.label(keys[i])
		if !m.top().helps || m.takesText() {
			keys[i] = views.Disabled(keys[i])
		}
	}
	return keys
}

// activeKeys returns the keys of the uppermost layer and, separately, the global keys that work
// there.
func (m *Model) activeKeys() (here []views.HelpGroup, always []key.Binding) {
	here, always = m.top().keys()
	if !m.takesText() {
		here = m.remap.labels(append(here, views.HelpGroup{Bindings: always}))
		always = here[len(here)-1].Bindings
		here = here[:len(here)-1]
	}
	return here, always
}
