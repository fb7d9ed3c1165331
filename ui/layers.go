package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// layer is a part of the dashboard that can be open above others. The uppermost open layer takes
// keys, pastes and the mouse, and its keys are in the footer. Only a question about losing input
// comes before it.
type layer struct {
	open func() bool
	// view draws the layer over the lines below it, in the given size. A layer that hides what is
	// below it gets nil.
	view  func(below []string, width, height int) []string
	hides bool

	press     func(msg tea.KeyPressMsg) tea.Cmd
	takesText func() bool                    // whether letters are text; nil if they never are
	paste     func(msg tea.PasteMsg) tea.Cmd // nil ignores pasted text
	scrolls   func() bool                    // whether the wheel acts as the keys up and down; nil if it never does
	click     func(x, y int) tea.Cmd         // a click above the footer; nil ignores it
	// keys returns the keys of the layer for the footer, and the global ones that work there.
	keys   func() (here []views.HelpGroup, always []key.Binding)
	helps  bool // the key of the help works
	silent bool // notices are not shown
}

// newLayers returns all layers, the uppermost first. The last one, the page, is open whenever the
// welcome page is not.
func (m *Model) newLayers() []layer {
	always := func() bool { return true }
	inPalette, inDial := m.paletteActions(), m.dialActions()
	return []layer{
		{
			open: func() bool { return m.palette.open },
			view: func(below []string, w, h int) []string { return m.palette.view(m.theme, below, w, h) },
			press: func(msg tea.KeyPressMsg) tea.Cmd {
				if cmd, taken := inPalette.Press(msg); taken {
					return cmd
				}
				return m.palette.edit(msg)
			},
			paste: func(msg tea.PasteMsg) tea.Cmd { return m.palette.edit(msg) }, takesText: always, scrolls: always,
			keys: func() ([]views.HelpGroup, []key.Binding) { return []views.HelpGroup{inPalette.Help("")}, nil },
		},
		{
			open: m.welcoming, hides: true,
			view:  func([]string, int, int) []string { return strings.Split(m.welcome.View(), "\n") },
			press: func(msg tea.KeyPressMsg) tea.Cmd { return m.welcome.Update(msg) }, takesText: always,
			paste: func(msg tea.PasteMsg) tea.Cmd { return m.welcome.Update(msg) },
			keys:  func() ([]views.HelpGroup, []key.Binding) { return nil, nil }, // the page shows its keys
		},
		{
			open: func() bool { return m.dial != nil },
			view: func(below []string, w, h int) []string { return m.dial.view(m.theme, below, w, h) },
			press: func(msg tea.KeyPressMsg) tea.Cmd {
				cmd, _ := inDial.Press(msg)
				return cmd
			},
			silent: true,
			keys:   func() ([]views.HelpGroup, []key.Binding) { return []views.HelpGroup{inDial.Help("")}, nil },
		},
		{
			open: func() bool { return m.details.open },
			view: m.detailsView, press: m.keyInDetails, scrolls: always,
			keys: func() ([]views.HelpGroup, []key.Binding) { return m.detailKeys(), nil },
		},
		{
			open: func() bool { return m.help.open }, hides: true,
			view:  func(_ []string, w, h int) []string { return m.help.view(m.theme, m.helpGroups(), w, h) },
			press: m.keyInHelp, scrolls: always, click: func(x, y int) tea.Cmd {
				if y == tabLine {
					return m.clickTab(x)
				}
				return nil
			}, helps: true,
			keys: func() ([]views.HelpGroup, []key.Binding) {
				total := len(helpLines(m.theme, m.helpGroups(), helpWidth(m.width)))
				return m.help.keys(m.keys, m.nav, total, m.bodyHeight()), nil
			},
		},
		m.pageLayer(),
	}
}

func (m *Model) pageLayer() layer {
	typing := func() bool { return m.front().Typing() }
	return layer{
		open: func() bool { return true }, hides: true,
		view: func([]string, int, int) []string { return []string{m.front().View()} },
		press: func(msg tea.KeyPressMsg) tea.Cmd {
			if typing() {
				return m.toFront(msg)
			}
			return m.globalKey(msg)
		},
		takesText: typing, scrolls: func() bool { return !typing() }, click: m.clickPage, helps: true,
		paste: func(msg tea.PasteMsg) tea.Cmd {
			if typing() {
				return m.toFront(msg)
			}
			return nil
		},
		keys: func() ([]views.HelpGroup, []key.Binding) {
			if typing() {
				return m.front().Help(), nil
			}
			return m.front().Help(), []key.Binding{m.keys.Refresh, m.keys.Mask, m.keys.Quit}
		},
	}
}

// top returns the uppermost open layer.
func (m *Model) top() *layer {
	for i := range m.layers {
		if m.layers[i].open() {
			return &m.layers[i]
		}
	}
	return nil
}

// takesText reports whether letters are text for an input field, so that they must not act as
// commands.
func (m *Model) takesText() bool {
	top := m.top()
	return top.takesText != nil && top.takesText()
}

// drawLayers draws the open layers, without those that another one hides.
func (m *Model) drawLayers(height int) (lines []string) {
	var shown []*layer
	for i := range m.layers {
		l := &m.layers[i]
		if !l.open() {
			continue
		}
		if shown = append(shown, l); l.hides {
			break
		}
	}
	for i := len(shown) - 1; i >= 0; i-- {
		if i < len(shown)-1 {
			lines = strings.Split(strings.Join(lines, "\n"), "\n")
		}
		lines = shown[i].view(lines, m.width, height)
	}
	return lines
}
