package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func remapped(t *testing.T, keys map[string][]string) *dashboard {
	t.Helper()
	d := open(t, healthy())
	d.remap = newRemap(keys)
	return d
}

func TestAnActionIsReachedByTheKeysSetForIt(t *testing.T) {
	d := remapped(
		t,
		map[string][]string{"mask": {"M", "f8"}, "filter": {"f"}, "quit": {"ctrl+q"}, "palette": {"P"}, "back": {"b"}},
	)
	for _, name := range []string{"M", "f8"} {
		before := d.theme.Masked
		d.press(name)
		if d.theme.Masked == before {
			t.Errorf("%s does not mask", name)
		}
	}
	d.press("*")
	if d.theme.Masked || d.press("q") {
		t.Error("a key that was replaced still works")
	}
	d.press("4", "f")
	if !d.front().State().Typing {
		t.Fatal("f does not filter")
	}
	d.press("f", "b", "M", "*", "q")
	d.shows("fbM*q")
	d.press("esc", "b")
	if d.session.active != 0 {
		t.Error("b does not lead back")
	}
	d.press("P")
	d.press(strings.Split("mask", "")...)
	d.shows("> mask", " M ")
	d.press("enter")
	if !d.theme.Masked {
		t.Error("the palette does not do what has another key")
	}
	if !d.press("ctrl+q") || !d.press("ctrl+c") {
		t.Error("it does not quit")
	}
}

func TestHelpShowsTheKeysThatWereSet(t *testing.T) {
	d := remapped(t, map[string][]string{"mask": {"M"}, "help": {"H"}, "filter": {"f"}, "refresh": {"q"}})
	d.press("4")
	d.Update(tea.WindowSizeMsg{Width: 160, Height: 60})
	d.shows("f filter", "q refresh", "H help")
	for _, not := range []string{"/ filter", "q quit", "? help", "f dates"} {
		if strings.Contains(d.text(), not) {
			t.Errorf("%q does not work, and is shown:\n%s", not, d.text())
		}
	}
	d.press("H")
	d.shows("M", "mask")
	d.press("H")
	if d.palette.open {
		t.Error("H does not close the help")
	}
}

// A key that is configured for its own action keeps that action.
func TestAKeyMayBeAddedToTheOwnOnes(t *testing.T) {
	d := remapped(t, map[string][]string{"mask": {"*", "M"}})
	for _, name := range []string{"*", "M"} {
		before := d.theme.Masked
		d.press(name)
		if d.theme.Masked == before {
			t.Errorf("%s does not mask", name)
		}
	}
	d.press("?", "m", "a", "s", "k")
	if shown := d.palette.found[0]; shown.name != "mask" || shown.hint != "*" {
		t.Errorf("the list of keys shows %q for %q", shown.hint, shown.name)
	}
}
