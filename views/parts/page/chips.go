package page

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
	"tarmac/views/parts/listdetail"
)

// Line is a drawn line above the body of a page.
type Line struct {
	Text  string
	Click func(x int) tea.Cmd // nil if the line can't be clicked
}

// Chip is a filter of a page. Its label is shown while the filter is on.
type Chip struct {
	Label func() string // "" while the filter is off
	Off   func()        // removes the filter
}

// quoted returns a text in quotation marks, or "" for "".
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
		if i, ok := labels.At(x); ok {
			on[i].Off()
		}
		return nil
	}
}

// countChips counts the changes of the chips' labels. Lists fill themselves again when it changes.
func (p *Page) countChips() {
	for i, c := range p.spec.Chips {
		if label := c.Label(); label != p.labels[i] {
			p.labels[i] = label
			p.chips++
		}
	}
}

// RemoveKey removes the last filter that is on, if when returns true; nil means always.
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
