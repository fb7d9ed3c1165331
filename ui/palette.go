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

// palette is the overlay that lists what can be found and done, profiles, or the places of a row.
// Typed text filters the list.
type palette struct {
	open    bool
	kind    paletteKind
	title   string
	typed   field.Text
	entries []entry
	found   []entry // entries that match the typed text, best match first
	cursor  int
	enter   string // what enter does, for the footer
	// finds returns what matches the typed text beside the entries. It may be nil.
	finds func(typed string) []entry
}

// paletteKind says what a palette lists.
type paletteKind int

const (
	choices  paletteKind = iota // profiles or the places of a row
	finding                     // pages first
	keysList                    // the keys of the page first
)

// entry is one line of the palette and what it does.
type entry struct {
	group string // heading above the first entry of a group, while no text is typed
	name  string
	hint  string // its key, shown at the right end
	key   string // the key that runs it, by which it is found too; "" if there is none
	run   func() tea.Cmd
}

// mostTyped is the maximum length of the typed text, in characters.
const mostTyped = 60

// newPalette returns an open palette. hint is shown while no text is typed.
func newPalette(title, hint string, entries []entry) palette {
	p := palette{open: true, title: title, typed: field.NewText(hint, mostTyped), entries: entries, enter: "run"}
	p.typed.Focus()
	p.search()
	return p
}

// search computes what matches the typed text. First come entries that contain each typed word or
// have the typed key, best match first, then what finds returns, then entries that contain the
// typed letters with others between them. Entries with equal scores keep their order.
func (p *palette) search() {
	typed := strings.TrimSpace(p.typed.Value())
	p.cursor = 0
	if typed == "" {
		p.found = p.entries
		return
	}
	type match struct {
		entry
		score int
	}
	var close, loose []match
	for _, e := range p.entries {
		score, ok := fuzzy(typed, e.name)
		switch {
		case e.key != "" && e.key == typed:
			close = append(close, match{e, sameKey})
		case ok && containsWords(strings.ToLower(e.name), strings.ToLower(typed)):
			close = append(close, match{e, score})
		case ok:
			loose = append(loose, match{e, score})
		}
	}
	p.found = nil
	add := func(matches []match) {
		slices.SortStableFunc(matches, func(a, b match) int { return b.score - a.score })
		for _, m := range matches {
			p.found = append(p.found, m.entry)
		}
	}
	add(close)
	var more []entry
	if p.finds != nil {
		more = p.finds(typed)
	}
	if len(more) > 0 {
		p.found = append(p.found, more[:len(more)-1]...)
	}
	add(loose)
	if len(more) > 0 {
		p.found = append(p.found, more[len(more)-1])
	}
}

// searchAgain searches in more records. The cursor stays on its entry.
func (p *palette) searchAgain() {
	name := ""
	if p.cursor < len(p.found) {
		name = p.found[p.cursor].name
	}
	p.search()
	p.cursor = max(0, slices.IndexFunc(p.found, func(e entry) bool { return e.name == name }))
}

// sameKey is the score of an entry whose key is typed, above all scores of names.
const sameKey = 1 << 20

func containsWords(text, words string) bool {
	for _, word := range strings.Fields(words) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
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

// closesByKey reports whether the key that opened the palette closes it. Once text is typed, it is
// a letter.
func (p *palette) closesByKey() bool { return p.kind == keysList && p.typed.Value() == "" }

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
	w, h := min(width, paletteWidth), min(height, p.tallest(height), len(p.entries)+p.headings()+3)
	box := panel.Draw(t, panel.Frame{
		Title: p.title, Width: w, Height: h, Focused: true,
		Body: func(width, height int) []string { return p.lines(t, width, height) },
	}, resource.State{Status: resource.Ready}, time.Time{})
	return overlay(screen, box, (width-w)/2, (height-h)/4, width)
}

// tallest returns the preferred height of the palette on a screen of the given height.
func (p *palette) tallest(height int) int {
	if p.kind == keysList {
		return height
	}
	return paletteHeight
}

// headings returns the number of headings of the whole list.
func (p *palette) headings() (n int) {
	for i, e := range p.entries {
		if i == 0 || p.entries[i-1].group != e.group {
			n++
		}
	}
	if n == 1 {
		return 0
	}
	return n
}

func (p *palette) lines(t theme.Theme, width, height int) []string {
	out := []string{t.Accent.Render("> ") + p.typed.Draw(t, width-2)}
	if len(p.found) == 0 {
		return append(out, t.Faint.Render("  No match"))
	}
	rows, at := p.rows(t, width)
	room := max(0, height-1)
	from := max(0, min(at-room/2, len(rows)-room))
	return append(out, rows[from:min(len(rows), from+room)]...)
}

// rows returns the lines of all entries that are found, with headings if no text is typed, and the
// index of the line with the cursor.
func (p *palette) rows(t theme.Theme, width int) (rows []string, at int) {
	headed := p.headings() > 0 && strings.TrimSpace(p.typed.Value()) == ""
	for i, e := range p.found {
		if headed && (i == 0 || p.found[i-1].group != e.group) {
			rows = append(rows, spread(t.Title.Render(e.group), "", width))
		}
		hint := e.hint + " "
		if ansi.StringWidth(e.name)+ansi.StringWidth(hint)+2 >= width {
			hint = ""
		}
		if i == p.cursor {
			at = len(rows)
			rows = append(rows, t.Selected.Render(spread("> "+e.name, hint, width)))
			continue
		}
		rows = append(rows, spread("  "+e.name, t.Faint.Render(hint), width))
	}
	return rows, at
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
