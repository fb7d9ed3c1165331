package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// layer is a part of the dashboard that can be open above others. The uppermost open layer takes
// keys, pastes and the mouse, and its keys are in the footer.
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
	footer func() string // draws a footer of its own instead; may be nil
	helps  bool          // the keys of the finder work
	silent bool          // notices are not shown
}

// newLayers returns all layers, the uppermost first. The last one, the page, is open whenever the
// welcome page is not.
func (m *Model) newLayers() []layer {
	always := func() bool { return true }
	inPalette, inDial := m.paletteActions(), m.dialActions()
	inDetails := m.detailActions()
	return []layer{
		m.questionLayer(),
		{
			open: func() bool { return m.palette.open },
			view: func(below []string, w, h int) []string { return m.palette.view(m.theme, below, w, h) },
			press: func(msg tea.KeyPressMsg) tea.Cmd {
				if own, _ := m.remap.translate(msg); own.String() == "?" && m.palette.closesByKey() {
					m.palette.open = false
					return nil
				}
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
			view: m.detailsView, scrolls: always,
			press: func(msg tea.KeyPressMsg) tea.Cmd {
				if cmd, taken := inDetails.Press(msg); taken {
					return cmd
				}
				width, height := m.detailsRoom()
				m.details.scroll(msg, m.nav, len(m.detailLines(width)), height)
				return nil
			},
			keys: func() ([]views.HelpGroup, []key.Binding) {
				width, height := m.detailsRoom()
				total := len(m.detailLines(width))
				return []views.HelpGroup{inDetails.Help(""), scrollKeys(m.nav, total > height)}, nil
			},
		},
		m.pageLayer(),
	}
}

func (m *Model) pageLayer() layer {
	typing := func() bool { return m.front().State().Typing }
	return layer{
		open: func() bool { return true }, hides: true,
		view: func([]string, int, int) []string { return []string{m.front().View()} },
		press: func(msg tea.KeyPressMsg) tea.Cmd {
			if typing() {
				return m.toFront(msg)
			}
			if cmd, taken := m.keys.press(msg); taken {
				return cmd
			}
			return m.toFront(msg)
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
			return m.front().Help(), m.keys.page.Bindings("r", "*", "q")
		},
	}
}

// top returns the uppermost open layer.
func (m *Model) top() *layer { return m.uppermost(0) }

// uppermost returns the uppermost open layer from the given index in m.layers on.
func (m *Model) uppermost(from int) *layer {
	for i := from; i < len(m.layers); i++ {
		if m.layers[i].open() {
			return &m.layers[i]
		}
	}
	return nil
}

func (l *layer) typing() bool { return l.takesText != nil && l.takesText() }

// takesText reports whether letters are text for an input field, so that they must not act as
// commands.
func (m *Model) takesText() bool { return m.top().typing() }

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
