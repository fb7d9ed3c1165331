package ui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/settings"
	"tarmac/theme"
)

func TestTheTerminalsBackgroundChoosesTheTheme(t *testing.T) {
	d := open(t, healthy())
	d.Update(tea.BackgroundColorMsg{Color: color.White})
	before := d.render()
	d.Update(tea.BackgroundColorMsg{Color: color.Black})
	if d.render() == before || !d.theme.Dark {
		t.Error("dark and light look the same")
	}
}

func TestThemesGoRound(t *testing.T) {
	d := open(t, healthy())
	frames := map[string]bool{}
	for _, want := range []string{"dark", "light", "colour-blind", "terminal"} {
		d.press("T")
		d.shows("theme: " + want)
		frames[d.render()] = true
	}
	if len(frames) != len(theme.Names()) {
		t.Errorf("%d themes look different", len(frames))
	}
	d.press(":")
	d.press(strings.Split("thlight", "")...)
	d.press("enter")
	d.shows("theme: light")
	d.Update(tea.BackgroundColorMsg{Color: color.Black})
	if d.theme.Name != theme.Light {
		t.Error("the terminal's background has changed what was chosen")
	}
}

func TestOptionsSayTheFirstThemeAndTheThresholds(t *testing.T) {
	m := New(
		t.Context(),
		Options{Theme: theme.ColourBlind, Runway: settings.Runway{Comfortable: 9, Healthy: 8, Caution: 7}},
	)
	if m.theme.Name != theme.ColourBlind || m.theme.RunwayWord(9) != "comfortable" {
		t.Errorf("%s, %s", m.theme.Name, m.theme.RunwayWord(9))
	}
}
