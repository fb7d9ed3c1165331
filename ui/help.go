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

// helpActions returns the keys of the help page, without those that scroll it.
func (m *Model) helpActions() views.Actions {
	return views.Actions{
		{Key: "esc", Also: []string{"?", "q"}, Help: "back", Do: views.Do(func() { m.help.open = false })},
	}
}

// helpLength returns the number of lines of the help page.
func (m *Model) helpLength() int { return len(helpLines(m.theme, m.helpGroups(), helpWidth(m.width))) }

// scroll moves a text of total lines on a screen of the given height. It ignores all keys but those
// that scroll.
func (h *help) scroll(msg tea.KeyPressMsg, nav views.Navigation, total, height int) {
	lines, _ := nav.LineMove(msg, max(1, height-1))
	h.offset = max(0, min(h.offset+lines, total-height))
}

// scrollKeys returns the keys that scroll, or none unless on.
func scrollKeys(nav views.Navigation, on bool) views.HelpGroup {
	if !on {
		return views.HelpGroup{}
	}
	return views.HelpGroup{Bindings: []key.Binding{nav.Up, nav.Down, nav.PageUp, nav.PageDown}}
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
