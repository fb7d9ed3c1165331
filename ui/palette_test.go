package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/sample"
)

var update = sample.UpdateFlag()

func TestThePaletteOpensWhatIsTyped(t *testing.T) {
	for _, c := range []struct {
		typed string
		page  string
	}{
		{"trans", "Transactions"}, {"run", "Runway"}, {"ev", "Events"}, {"pay", "Payment"},
	} {
		d := open(t, healthy())
		d.press(":")
		d.shows("Find", "Overview", "refresh")
		d.press(strings.Split(c.typed, "")...)
		d.press("enter")
		if got := d.session.pages[d.session.active].Title; got != c.page || d.palette.open {
			t.Errorf("%q opened %s", c.typed, got)
		}
	}
}

func TestThePaletteDoesWhatAKeyOfTheScreenDoes(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "ctrl+k")
	d.press(strings.Split("filter", "")...)
	d.press("enter")
	if !d.front().State().Typing {
		t.Errorf("the keyword is not being typed:\n%s", d.text())
	}
	d.press("esc", ":")
	d.press(strings.Split("quit", "")...)
	if !d.press("enter") {
		t.Error("quit does not quit")
	}
}

func TestThePaletteOffersNoWriteWhereNothingMayBeChanged(t *testing.T) {
	d := open(t, linked())
	names := func() (all []string) {
		for _, p := range d.session.pages {
			d.reach(p)
			for _, e := range d.entries(finding) {
				all = append(all, e.name)
			}
		}
		return all
	}
	writes := []string{
		"Propose an invoice",
		"new invoice",
		"new endpoint",
		"send test event",
		"pause",
		"rotate secret",
		"delete",
	}
	for _, w := range writes {
		if !slices.Contains(names(), w) {
			t.Errorf("%q is not offered", w)
		}
	}

	d.options.ReadOnly = true
	d.drain(d.begin(d.session.connection))

	d.shows("read-only")
	for _, p := range d.session.pages {
		d.reach(p)
		for _, e := range d.entries(finding) {
			if slices.Contains(writes, e.name) && p.Title != "Events" {
				t.Errorf("%s offers %q", p.Title, e.name)
			}
		}
	}
}

func TestKeysOfThePalette(t *testing.T) {
	d := open(t, healthy())
	for _, keys := range [][]string{{"esc"}, {"ctrl+k"}, {"z", "z", "z", "esc"}} {
		d.press(append([]string{":"}, keys...)...)
		if d.palette.open || d.session.active != 0 {
			t.Errorf("%v did not close it alone", keys)
		}
	}
	d.press(":", "down", "down", "up", "tab", "enter")
	if d.session.active != 2 {
		t.Errorf("two below Overview is page %d", d.session.active)
	}
	d.press(":", "up")
	if d.palette.cursor != len(d.palette.found)-1 {
		t.Error("up from the first does not lead to the last")
	}
	d.press("esc", "p", "q", "z", "x", "w", "enter")
	d.shows("No match")
	if !d.press("ctrl+c") {
		t.Error("ctrl+c does not quit")
	}
}

func TestPastedTextGoesWhereTextIsTyped(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "/", "esc") // a screen that accepts pasted text
	d.Update(tea.PasteMsg{Content: "q"})
	d.press(":")
	d.Update(tea.PasteMsg{Content: "over\nview"})
	d.shows("> over view")
	d.press("esc", "/")
	d.Update(tea.PasteMsg{Content: "Łukasz"})
	d.shows("Łukasz")
}

func TestEveryKeyCanBePressedByItsName(t *testing.T) {
	d := open(t, healthy())
	pressed := 0
	for _, p := range d.session.pages {
		d.reach(p)
		for _, g := range d.helpGroups() {
			for _, b := range g.Bindings {
				for _, name := range b.Keys() {
					if name == "" {
						continue // a page without a digit
					}
					pressed++
					b.SetEnabled(true)
					if k := keyPress(name); k.String() != name || !key.Matches(k, b) {
						t.Errorf("%s: %q is pressed as %q", p.Title, name, k)
					}
				}
			}
		}
	}
	for _, name := range []string{"+", "ctrl++", "ctrl+alt+x", "shift+tab", "f12", "ctrl+space", "ä", "*"} {
		pressed++
		if k := keyPress(name); k.String() != name {
			t.Errorf("%q is pressed as %q", name, k)
		}
	}
	if pressed < 100 {
		t.Errorf("only %d keys", pressed)
	}
}

func TestThePaletteOverAScreen(t *testing.T) {
	d := open(t, healthy())
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("6", ":", "o", "l", "down")
	sample.Golden(t, "palette_80x24", d.render(), *update)
}

// A wide character that the edge of the box cuts in half becomes a blank.
func TestWhatIsUnderTheBoxKeepsItsPlace(t *testing.T) {
	for x := range 6 {
		got := overlay([]string{"株式会社株式会社"}, []string{"###"}, x, 0, 16)[0]
		sample.CheckSize(t, got, 16, 1)
		if at := strings.Index(ansi.Strip(got), "###"); at < 0 || ansi.StringWidth(ansi.Strip(got)[:at]) != x ||
			ansi.StringWidth(got) != 16 {
			t.Errorf("at %d: %q", x, ansi.Strip(got))
		}
	}
}

func TestANarrowPaletteShowsNamesRatherThanHints(t *testing.T) {
	d := open(t, healthy())
	d.options.Connect = func(context.Context, string, string) (Connection, error) { return Connection{}, nil }
	d.Update(tea.WindowSizeMsg{Width: 40, Height: 24})
	d.press("p")
	d.shows("> connect to another server…  ")
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.shows("> connect to another server…  ", " base URL and token ")
}
