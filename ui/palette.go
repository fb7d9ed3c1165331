package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/field"
	"tarmac/views/parts/panel"
)

// palette is the overlay that lists commands or profiles. Typed text filters the list.
type palette struct {
	open    bool
	title   string
	typed   field.Text
	entries []entry
	found   []entry // entries that match the typed text, best match first
	cursor  int
	enter   string // what enter does, for the footer
}

// entry is one line of the palette and what it does.
type entry struct {
	name string
	hint string // its key, shown at the right end
	run  func() tea.Cmd
}

// mostTyped is the maximum length of the typed text, in characters.
const mostTyped = 60

// listCommands opens the palette with all commands.
func (m *Model) listCommands() {
	m.palette = newPalette("Commands", "search for a page or an action", m.entries())
}

// newPalette returns an open palette. hint is shown while no text is typed.
func newPalette(title, hint string, entries []entry) palette {
	p := palette{open: true, title: title, typed: field.NewText(hint, mostTyped), entries: entries, enter: "run"}
	p.typed.Focus()
	p.search()
	return p
}

// search computes which entries match the typed text, best match first. Entries with equal scores
// keep their order.
func (p *palette) search() {
	scores := make(map[string]int, len(p.entries))
	p.found, p.cursor = nil, 0
	for _, e := range p.entries {
		if score, ok := fuzzy(p.typed.Value(), e.name); ok {
			scores[e.name] = score
			p.found = append(p.found, e)
		}
	}
	slices.SortStableFunc(p.found, func(a, b entry) int { return scores[b.name] - scores[a.name] })
}

// paletteActions returns the keys of the palette. The palette is closed before an entry runs.
func (m *Model) paletteActions() views.Actions {
	p := &m.palette
	several := func() bool { return len(p.found) > 1 }
	return views.Actions{
		{Key: "enter", Says: func() string { return p.enter }, When: func() bool { return len(p.found) > 0 },
			Do: func() tea.Cmd {
				p.open = false
				return p.found[p.cursor].run()
			}},
		{Key: "esc", Also: []string{"ctrl+k"}, Help: "close", Do: views.Do(func() { p.open = false })},
		{Key: "up", Also: []string{"ctrl+p"}, Shown: "↑", Help: "up", When: several, Do: views.Do(func() { p.move(-1) })},
		{Key: "down", Also: []string{"ctrl+n", "tab"}, Shown: "↓", Help: "down", When: several,
			Do: views.Do(func() { p.move(1) })},
	}
}

// edit passes a key press or a paste to the typed text.
func (p *palette) edit(msg tea.Msg) tea.Cmd {
	if p.typed.Update(msg) {
		p.search()
	}
	return nil
}

// move moves the cursor by a number of entries. The first entry follows the last, and vice versa.
func (p *palette) move(by int) {
	if n := len(p.found); n > 0 {
		p.cursor = (p.cursor + by + n) % n
	}
}

// Preferred size of the palette, in cells. With few entries it is lower.
const (
	paletteWidth  = 64
	paletteHeight = 21
)

// view draws the palette over a screen of the given size.
func (p *palette) view(t theme.Theme, screen []string, width, height int) []string {
	w, h := min(width, paletteWidth), min(height, paletteHeight, len(p.entries)+3)
	box := panel.Draw(t, panel.Frame{
		Title: p.title, Width: w, Height: h, Focused: true,
		Body: func(width, height int) []string { return p.lines(t, width, height) },
	}, resource.State{Status: resource.Ready}, time.Time{})
	return overlay(screen, box, (width-w)/2, (height-h)/4, width)
}

func (p *palette) lines(t theme.Theme, width, height int) []string {
	out := []string{t.Accent.Render("> ") + p.typed.Draw(t, width-2)}
	rows := height - 1
	from := max(0, min(p.cursor-rows/2, len(p.found)-rows))
	for i := from; i < min(len(p.found), from+rows); i++ {
		e := p.found[i]
		name, hint := "  "+e.name, e.hint+" "
		if ansi.StringWidth(name)+ansi.StringWidth(hint) >= width {
			hint = ""
		}
		if i == p.cursor {
			out = append(out, t.Selected.Render(spread("> "+e.name, hint, width)))
			continue
		}
		out = append(out, spread(name, t.Faint.Render(hint), width))
	}
	if len(p.found) == 0 {
		out = append(out, t.Faint.Render("  No match"))
	}
	return out
}

// overlay draws box overlay the lines of a screen of the given width. The top left corner of the
// box is in column x of line y.
func overlay(lines, box []string, x, y, width int) []string {
	out := slices.Clone(lines)
	for i, part := range box {
		if y+i >= len(out) {
			break
		}
		under := panel.Box([]string{out[y+i]}, width, 1)[0]
		left := ansi.Truncate(under, x, "")
		left += strings.Repeat(" ", x-ansi.StringWidth(left)) // replaces half of a wide character that box covers
		rest := max(0, width-x-ansi.StringWidth(part))
		right := ansi.TruncateLeft(under, width-rest, "")
		if ansi.StringWidth(right) > rest {
			right = ansi.TruncateLeft(under, width-rest+1, "")
		}
		right = strings.Repeat(" ", max(0, rest-ansi.StringWidth(right))) + right
		out[y+i] = left + "\x1b[m" + part + "\x1b[m" + right
	}
	return out
}
