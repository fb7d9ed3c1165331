package page

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views"
)

// Tabs are the parts of a page that are shown one at a time.
type Tabs struct {
	Names    []string
	Selected int
	OnSelect func() // called after Select
}

// Select selects a tab. The one after the last is the first, and vice versa.
func (t *Tabs) Select(i int) {
	t.Selected = (i + len(t.Names)) % len(t.Names)
	t.OnSelect()
}

// tabKey selects the next tab.
const tabKey = "f"

// Line draws the names. If they don't fit, it draws only the selected one and the key of the next.
func (t *Tabs) Line(looks theme.Theme, width int) Line {
	names, needed := make([]string, len(t.Names)), -1
	for i, name := range t.Names {
		style := looks.TabOff
		if i == t.Selected {
			style = looks.TabOn
		}
		names[i] = style.Render(" " + name + " ")
		needed += ansi.StringWidth(name) + 3
	}
	if needed < width {
		return Line{strings.Join(names, " "), t.click}
	}
	name := " " + t.Names[t.Selected] + " "
	text := looks.Faint.Render("‹") + looks.TabOn.Render(name) + looks.Faint.Render("› "+tabKey)
	return Line{text, func(x int) tea.Cmd {
		if x < ansi.StringWidth(text) {
			t.Select(t.Selected + 1)
		}
		return nil
	}}
}

func (t *Tabs) click(x int) tea.Cmd {
	for i, name := range t.Names {
		width := ansi.StringWidth(name) + 2
		if x >= 0 && x < width {
			t.Select(i)
			return nil
		}
		x -= width + 1
	}
	return nil
}

// Keys are the keys of the next and the previous tab. what names what a tab selects.
func (t *Tabs) Keys(what string, when func() bool) (next, previous views.Action) {
	step := func(by int) func() tea.Cmd { return views.Do(func() { t.Select(t.Selected + by) }) }
	return views.Action{Key: tabKey, Also: []string{"tab", "]"}, Help: what, When: when, Do: step(1)},
		views.Action{Key: "F", Also: []string{"shift+tab", "["}, Help: "previous " + what, When: when, Do: step(-1)}
}
