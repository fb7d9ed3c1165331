package ui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// meanings lists the descriptions allowed for keys that several screens share, so that each key has
// one meaning.
var meanings = map[string][]string{
	"/":     {"filter"},
	"f":     {"dates", "types", "status"},
	"t":     {"go to"},
	"n":     {"new invoice", "new endpoint", "plan a line"},
	"y":     {"copy", "copy figures", "copy reminder", "copy number", "copy id", "yes"}, // "yes" answers a question
	"e":     {"export"},
	"*":     {"mask"},
	"space": {"pause", "resume"},
}

func TestASharedKeyMeansOneThingOnEveryScreen(t *testing.T) {
	d := open(t, linked())
	met := map[string]bool{}
	check := func(title string) {
		for _, g := range d.helpGroups() {
			for _, b := range g.Bindings {
				for _, k := range b.Keys() {
					if may, shared := meanings[k]; shared && !slices.Contains(may, b.Help().Desc) {
						t.Errorf("%s: %q is %q, which is none of %q", title, k, b.Help().Desc, may)
					}
					met[k] = met[k] || b.Enabled()
				}
			}
		}
	}
	for _, p := range d.session.pages {
		d.reach(p)
		if d.press("esc"); d.front().State().Typing {
			t.Fatalf("%s still takes text", p.Title)
		}
		d.reach(p)
		if d.front().State().Typing {
			d.press("esc")
		}
		check(p.Title)
		d.press("enter")
		if !d.front().State().Typing {
			check(p.Title + ", opened")
		}
		d.press("esc")
	}
	for k := range meanings {
		if !met[k] {
			t.Errorf("no screen offers %q", k)
		}
	}
}

// At 80x24 the footer shows export wherever it has an effect, and ends with the keys of the finder.
func TestExportIsInTheFooterWhereItWorks(t *testing.T) {
	d := open(t, linked())
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	exporting := 0
	for _, p := range d.session.pages {
		d.reach(p)
		if d.front().State().Typing {
			d.press("esc")
		}
		lines := strings.Split(d.text(), "\n")
		footer := lines[len(lines)-1]
		if !strings.HasSuffix(footer, "q quit  : find  ? help") {
			t.Errorf("%s: %q", p.Title, footer)
		}
		works := false
		for _, g := range d.front().Help() {
			works = works ||
				slices.ContainsFunc(g.Bindings, func(b key.Binding) bool { return b.Enabled() && slices.Contains(b.Keys(), "e") })
		}
		if works {
			exporting++
		}
		if works != strings.Contains(footer, "e export") {
			t.Errorf("%s: export works: %t, but the footer is %q", p.Title, works, footer)
		}
	}
	if exporting < 4 {
		t.Errorf("export works on %d screens only", exporting)
	}
}
