package sample

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Page lists the methods of a screen that the checks in this package use.
type Page interface {
	SetSize(width, height int)
	View() string
}

// CheckAllSizes draws a page in all of Sizes. It fails t with the first size that the page does not
// fill exactly.
func CheckAllSizes(t testing.TB, p Page) {
	t.Helper()
	for width, height := range Sizes {
		p.SetSize(width, height)
		if CheckSize(t, p.View(), width, height); t.Failed() {
			return
		}
	}
}

// Text returns a page's text without styles.
func Text(p Page) string { return ansi.Strip(p.View()) }

// CheckText fails t for each text that the page does not show.
func CheckText(t testing.TB, p Page, want ...string) {
	t.Helper()
	text := Text(p)
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("the screen does not say %q:\n%s", w, text)
		}
	}
}

// CheckNoText fails t for each text that the page shows.
func CheckNoText(t testing.TB, p Page, not ...string) {
	t.Helper()
	text := Text(p)
	for _, n := range not {
		if strings.Contains(text, n) {
			t.Errorf("the screen says %q:\n%s", n, text)
		}
	}
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome,
	"end":  tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// Press returns the key press for a key's name in bindings, such as "j", "enter", "ctrl+d",
// "shift+tab" or "alt+up".
func Press(name string) tea.KeyPressMsg {
	var msg tea.KeyPressMsg
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	rest, alt := strings.CutPrefix(rest, "alt+")
	rest, shift := strings.CutPrefix(rest, "shift+")
	if ctrl {
		msg.Mod |= tea.ModCtrl
	}
	if alt {
		msg.Mod |= tea.ModAlt
	}
	if shift {
		msg.Mod |= tea.ModShift
	}
	code, ok := named[rest]
	if !ok {
		code = []rune(rest)[0]
	}
	if msg.Code = code; msg.Mod == 0 && (!ok || code == tea.KeySpace) {
		msg.Text = string(code)
	}
	return msg
}
