package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// help is the page that lists the keys. Its content comes from the key bindings, so that both
// always agree.
type help struct {
	open   bool
	offset int
}

// helpLines arranges the groups in as many columns as fit into width. It does not split groups.
func helpLines(t theme.Theme, groups []views.HelpGroup, width int) []string {
	blocks := make([][]string, 0, len(groups))
	column := 0
	for _, g := range groups {
		block := helpBlock(t, g)
		if len(block) == 0 {
			continue
		}
		for _, line := range block {
			column = max(column, ansi.StringWidth(line)+3)
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		return nil
	}
	columns := max(1, min(len(blocks), width/max(1, column)))
	var out []string
	for start := 0; start < len(blocks); start += columns {
		row := blocks[start:min(start+columns, len(blocks))]
		out = append(out, helpRow(row, column)...)
	}
	return out
}

func helpRow(blocks [][]string, column int) []string {
	height := 0
	for _, b := range blocks {
		height = max(height, len(b))
	}
	columns := make([][]string, len(blocks))
	for i, b := range blocks {
		columns[i] = panel.Box(b, column, height+1) // one more line, so that a blank line follows each row of groups
	}
	return panel.Beside(columns...)
}

func helpBlock(t theme.Theme, g views.HelpGroup) []string {
	name := 0
	for _, b := range g.Bindings {
		name = max(name, ansi.StringWidth(b.Help().Key))
	}
	var out []string
	for _, b := range g.Bindings {
		if b.Enabled() && b.Help().Key != "" {
			pad := strings.Repeat(" ", name-ansi.StringWidth(b.Help().Key))
			out = append(out, t.KeyName.Render(b.Help().Key)+pad+"  "+b.Help().Desc)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return append([]string{t.Title.Render(g.Title)}, out...)
}

// update scrolls a help page that is higher than the screen. It ignores all keys but those that
// scroll.
func (h *help) update(msg tea.KeyPressMsg, nav views.Navigation, total, height int) {
	switch {
	case key.Matches(msg, nav.Up):
		h.offset--
	case key.Matches(msg, nav.Down):
		h.offset++
	case key.Matches(msg, nav.PageUp, nav.HalfUp):
		h.offset -= max(1, height-1)
	case key.Matches(msg, nav.PageDown, nav.HalfDown):
		h.offset += max(1, height-1)
	case key.Matches(msg, nav.Top):
		h.offset = 0
	case key.Matches(msg, nav.Bottom):
		h.offset = total
	}
	h.offset = max(0, min(h.offset, total-height))
}

// keys returns the keys that work while the help page is open.
func (h *help) keys(k keyMap, nav views.Navigation, total, height int) []views.HelpGroup {
	bindings := []key.Binding{k.Back}
	if total > height {
		bindings = append(bindings, nav.Up, nav.Down, nav.PageUp, nav.PageDown)
	}
	return []views.HelpGroup{{Bindings: bindings}}
}

// margin is the space to the left and right of the help page, in cells.
const margin = 2

func helpWidth(width int) int { return width - 2*margin }

func (h *help) view(t theme.Theme, groups []views.HelpGroup, width, height int) []string {
	lines := helpLines(t, groups, helpWidth(width))
	start := max(0, min(h.offset, len(lines)-height))
	for i := range lines {
		lines[i] = strings.Repeat(" ", margin) + lines[i]
	}
	return panel.Box(lines[start:], width, height)
}
