package views_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

func TestHowFarAKeyMovesAPane(t *testing.T) {
	n := views.NewNavigation()
	ctrl := func(c rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: c, Mod: tea.ModCtrl} }
	for name, c := range map[string]struct {
		press       tea.KeyPressMsg
		rows        int
		pages, step int
	}{
		"page down":         {tea.KeyPressMsg{Code: tea.KeyPgDown}, 10, 10, 10},
		"page up":           {tea.KeyPressMsg{Code: tea.KeyPgUp}, 10, -10, -10},
		"half a page":       {ctrl('d'), 10, 5, 5},
		"half of one row":   {ctrl('u'), 1, -1, -1},
		"a step":            {tea.KeyPressMsg{Code: 'j', Text: "j"}, 10, 0, 1},
		"a step back":       {tea.KeyPressMsg{Code: tea.KeyUp}, 10, 0, -1},
		"a key of no moves": {tea.KeyPressMsg{Code: 'z', Text: "z"}, 10, 0, 0},
	} {
		if lines, ok := n.PageMove(c.press, c.rows); lines != c.pages || ok != (c.pages != 0) {
			t.Errorf("%s: %d lines by pages, %v", name, lines, ok)
		}
		if lines, ok := n.LineMove(c.press, c.rows); lines != c.step || ok != (c.step != 0) {
			t.Errorf("%s: %d lines, %v", name, lines, ok)
		}
	}
	top, _ := n.LineMove(tea.KeyPressMsg{Code: 'g', Text: "g"}, 10)
	bottom, _ := n.LineMove(tea.KeyPressMsg{Code: 'G', Text: "G"}, 10)
	if top > -10_000 || bottom < 10_000 {
		t.Errorf("the ends are %d and %d lines away", top, bottom)
	}
}
