package views

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/theme"
)

// Layer is something open above a screen, such as a question or a prompt. While it is open, it
// takes all key presses and pastes.
type Layer interface {
	Open() bool
	Press(press tea.KeyPressMsg) tea.Cmd
	Paste(paste tea.PasteMsg)
	Cancel() // closes the layer without an answer
	Help() []HelpGroup
	Draw() string
	SetTheme(t theme.Theme)
	SetWidth(width int)
}

// BaseLayer implements the optional methods of Layer. They do nothing. A layer that draws itself in
// the size and colours of its screen and takes no text needs none of them.
type BaseLayer struct{}

func (BaseLayer) Paste(tea.PasteMsg)   {}
func (BaseLayer) SetTheme(theme.Theme) {}
func (BaseLayer) SetWidth(int)         {}

// Layers are the layers of a screen, the uppermost first.
type Layers []Layer

// Top returns the uppermost open layer, or nil if none is open.
func (l Layers) Top() Layer {
	for _, layer := range l {
		if layer.Open() {
			return layer
		}
	}
	return nil
}

// Open reports whether a layer is open.
func (l Layers) Open() bool { return l.Top() != nil }

// Press passes a key press to the uppermost open layer. It returns false if none is open.
func (l Layers) Press(press tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	if top := l.Top(); top != nil {
		return top.Press(press), true
	}
	return nil, false
}

// Paste passes pasted text to the uppermost open layer.
func (l Layers) Paste(paste tea.PasteMsg) {
	if top := l.Top(); top != nil {
		top.Paste(paste)
	}
}

// Cancel closes the uppermost open layer. It returns false if none is open.
func (l Layers) Cancel() bool {
	top := l.Top()
	if top != nil {
		top.Cancel()
	}
	return top != nil
}

// Help returns the keys of the uppermost open layer. It returns false if none is open.
func (l Layers) Help() (keys []HelpGroup, open bool) {
	if top := l.Top(); top != nil {
		return top.Help(), true
	}
	return nil, false
}

// SetTheme sets the colours and styles of all layers.
func (l Layers) SetTheme(t theme.Theme) {
	for _, layer := range l {
		layer.SetTheme(t)
	}
}

// SetWidth sets the width of all layers in cells.
func (l Layers) SetWidth(width int) {
	for _, layer := range l {
		layer.SetWidth(width)
	}
}
