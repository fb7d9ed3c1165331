package page

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
)

// Line is a drawn line above the body of a page.
type Line struct {
	Text  string
	Click func(x int) tea.Cmd // nil if a click on it means nothing
}

// Chip is a filter of a page, which the head shows while it is on.
type Chip struct {
	Label func() string // "" while the filter is off
	Off   func()        // removes the filter
}

// chip returns the label of a filter as text in quotation marks, or "" without a text.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return `"` + text + `"`
}

// Filtered reports whether a filter is on.
func (p *Page) Filtered() bool {
	for _, c := range p.spec.Chips {
		if c.Label() != "" {
			return true
		}
	}
	return false
}

// ChipLine returns the labels of the filters that are on. A click on one removes its filter.
func (p *Page) ChipLine() (labels listdetail.Chips, click func(x int) tea.Cmd) {
	var on []Chip
	for _, c := range p.spec.Chips {
		if label := c.Label(); label != "" {
			labels, on = append(labels, label), append(on, c)
		}
	}
	return labels, func(x int) tea.Cmd {
		if at, ok := labels.At(x); ok {
			on[at].Off()
		}
		return nil
	}
}

// RemoveKey removes the last filter. when says when it may; nil means always.
func (p *Page) RemoveKey(when func() bool) views.Action {
	can := func() bool { return p.Filtered() && (when == nil || when()) }
	return views.Action{Key: "x", Help: "remove last filter", When: can,
		Do: views.Do(func() {
			for i := len(p.spec.Chips) - 1; i >= 0; i-- {
				if p.spec.Chips[i].Label() != "" {
					p.spec.Chips[i].Off()
					return
				}
			}
		})}
}

// Tabs are the names of what a page shows by turns.
type Tabs struct {
	Names  []string
	At     int
	Turned func() // called after another tab was chosen
}

// Turn chooses a tab. The one after the last is the first, and vice versa.
func (t *Tabs) Turn(to int) {
	t.At = (to + len(t.Names)) % len(t.Names)
	t.Turned()
}

// tabKey is the key of the next tab.
const tabKey = "f"

// Line returns the line with the names. If they do not fit, it has only the current one and the key
// for the next.
func (t *Tabs) Line(looks theme.Theme, width int) Line {
	text, all := "", -1
	for i, name := range t.Names {
		style := looks.TabOff
		if i == t.At {
			style = looks.TabOn
		}
		if i > 0 {
			text += " "
		}
		text += style.Render(" " + name + " ")
		all += ansi.StringWidth(name) + 3
	}
	if all < width {
		return Line{text, t.click}
	}
	text = looks.Faint.Render("‹") + looks.TabOn.Render(" "+t.Names[t.At]+" ") + looks.Faint.Render("› "+tabKey)
	return Line{text, func(x int) tea.Cmd {
		if x < ansi.StringWidth(text) {
			t.Turn(t.At + 1)
		}
		return nil
	}}
}

func (t *Tabs) click(x int) tea.Cmd {
	for i, name := range t.Names {
		width := ansi.StringWidth(name) + 2
		if x >= 0 && x < width {
			t.Turn(i)
			return nil
		}
		x -= width + 1
	}
	return nil
}

// Keys are the keys of the next and the previous tab. what says what a tab is.
func (t *Tabs) Keys(what string, when func() bool) (next, previous views.Action) {
	step := func(by int) func() tea.Cmd { return views.Do(func() { t.Turn(t.At + by) }) }
	return views.Action{Key: tabKey, Also: []string{"tab", "]"}, Help: what, When: when, Do: step(1)},
		views.Action{Key: "F", Also: []string{"shift+tab", "["}, Help: "previous " + what, When: when, Do: step(-1)}
}
