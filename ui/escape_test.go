package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestAnEscapeThatCameWithAKeyIsAnEscapeOnly(t *testing.T) {
	d := open(t, healthy())
	for _, behind := range []string{"alt+j", "alt+q", "alt+enter", "alt+3", "alt+f5"} {
		d.press("4", "enter")
		d.shows("Transaction ─")
		if d.press(behind) {
			t.Errorf("%s quits", behind)
		}
		if strings.Contains(d.text(), "Transaction ─") {
			t.Errorf("%s is no esc", behind)
		}
		d.shows(behind + " is treated as esc")
		if d.session.active != 3 {
			t.Errorf("%s leads to page %d", behind, d.session.active)
		}
	}
	for _, quits := range []string{"ctrl+c", "ctrl+alt+c"} {
		d.press("4", "/")
		if !d.press(quits) {
			t.Errorf("%s does not quit while typing", quits)
		}
		if d.press("alt+x"); !d.front().State().Typing {
			t.Error("alt leaves a field")
		}
		d.press("esc")
		if !d.press(quits) {
			t.Errorf("%s does not quit", quits)
		}
	}
	// A terminal that distinguishes alt from esc means alt.
	d.Update(tea.KeyboardEnhancementsMsg{Flags: 1})
	d.press("enter", "alt+j")
	d.shows("Transaction ─")
}

func TestAltThatIsBoundIsNoEscape(t *testing.T) {
	d := remapped(t, map[string][]string{"mask": {"alt+m"}})
	d.press("4", "enter", "alt+m")
	if d.shows("Transaction ─"); !d.theme.Masked {
		t.Error("alt+m does not mask")
	}
	d = remapped(t, map[string][]string{"back": {"b"}})
	d.press("4", "enter", "alt+m")
	d.shows("Transaction ─")
	if strings.Contains(d.text(), "taken as") {
		t.Error("it is taken for an esc that leads nowhere")
	}
}
