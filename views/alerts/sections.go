package alerts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/alerts"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// wide is the width from which an alert has one line. Below it, what it tells stands in a second
// one.
const wide = 180

// nameWidth is the width of the column with the names, and frameWidth that of a panel's frame and
// of the space between two columns.
const (
	nameWidth  = 20
	frameWidth = 6
)

// addAlert is a command that adds an alert.
const addAlert = "tarmac alerts add runway-below 9"

// cells are the rows of a table whose texts are known.
type cells [][]table.Cell

// Row appends the cells of a row.
func (c cells) Row(row int, dst []table.Cell) ([]table.Cell, bool) {
	if row >= len(c) {
		return dst, false
	}
	return append(dst, c[row]...), true
}

// draw draws all lines of the page: what is watched, the channels, what else can be watched, and
// the commands.
func (s *Screen) draw() {
	of, known := s.state.Value()
	if !known || s.width <= 0 {
		s.lines = nil
		return
	}
	s.lines = append(s.watched(of), s.channels(of)...)
	if of.IsSession {
		s.scroll(0)
		return
	}
	rest := s.height - len(s.lines) - len(s.commands(of, 0))
	s.lines = append(s.lines, s.others(of, rest)...)
	s.lines = append(s.lines, s.commands(of, s.height-len(s.lines))...)
	s.scroll(0)
}

// section draws a panel of a table that shows all of its rows.
func (s *Screen) section(title string, columns []table.Column, rows cells, height int) []string {
	t := table.New(columns, rows)
	t.SetTheme(s.theme)
	t.SetRows(0, len(rows)) // nothing is selected
	frame := panel.Frame{Title: title, Width: s.width, Height: max(height, len(rows)+3)}
	frame.Body = func(width, height int) []string {
		t.SetSize(width, max(3, height))
		return t.Lines()
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}

// text returns the cell of a text in which amounts may have to be hidden.
func (s *Screen) text(text string, ink table.Ink) table.Cell {
	return table.Cell{Text: masked.Text(s.theme, text), Ink: ink}
}

// watched draws the alerts.
func (s *Screen) watched(of *alerts.Overview) []string {
	caution, faint := table.NewInk(s.theme.Caution), table.NewInk(s.theme.Faint)
	columns := []table.Column{
		{Title: "Alert", Min: 18, Ideal: nameWidth, Tight: 8},
		{Title: "Now", Min: 24, Ideal: 38, Flex: 2, Tight: 10},
	}
	if s.width >= wide {
		columns = append(columns, table.Column{Title: "Tells", Min: 24, Ideal: 38, Flex: 2},
			table.Column{Title: "Told", Min: 20, Ideal: 20},
			table.Column{Title: "To", Min: 8, Ideal: 24})
	}
	var rows cells
	if len(of.Alerts) == 0 {
		rows = cells{{{Text: "none"}, {Text: "Nothing is watched."}}, {{}, {Text: addAlert + " adds an alert."}}}
	}
	for i := range of.Alerts {
		e := &of.Alerts[i]
		name := table.Cell{Text: fmt.Sprintf("%d  %s", e.Number, e.Rule)}
		state, ink := e.State, table.Ink{}
		switch {
		case e.Tells == "":
			state, ink = e.Problem, caution
		case e.Open:
			state, ink = "crossed: "+e.State, caution
		}
		now := s.wrapped(name, state, s.secondWidth(), ink)
		switch {
		case e.Tells == "":
		case s.width >= wide:
			now[0] = append(now[0], s.text(strings.TrimPrefix(e.Tells, "tells "), faint),
				table.Cell{Text: strings.TrimPrefix(e.Told(), "told "), Ink: faint},
				table.Cell{Text: strings.Join(e.To, ", "), Ink: faint})
		default:
			now = append(now, s.details(e, faint)...)
		}
		rows = append(rows, now...)
		if e.Tells != "" && e.Problem != "" {
			rows = append(rows, s.wrapped(table.Cell{}, e.Problem, s.secondWidth(), caution)...)
		}
	}
	rows = append(rows, s.wrapped(table.Cell{Text: "Looked", Ink: faint}, of.Looked(), s.secondWidth(), faint)...)
	return s.section("Alerts", columns, rows, 0)
}

// wrapped returns the rows of a text in the second column: as many as it needs in a width.
func (s *Screen) wrapped(name table.Cell, text string, width int, ink table.Ink) (rows cells) {
	for line := range strings.SplitSeq(ansi.Wrap(masked.Text(s.theme, text), max(1, width), ""), "\n") {
		rows = append(rows, []table.Cell{name, {Text: line, Ink: ink}})
		name = table.Cell{}
	}
	return rows
}

// secondWidth is the least width of the second column of the alerts.
func (s *Screen) secondWidth() int {
	if s.width >= wide {
		return s.width * 3 / 10
	}
	return s.width - nameWidth - frameWidth
}

// details returns the rows below an alert that has no columns for what it tells: one, or two where
// one is too narrow.
func (s *Screen) details(e *alerts.Entry, faint table.Ink) (rows cells) {
	lines := []string{e.Tells, e.Told() + " · to " + strings.Join(e.To, ", ")}
	if joined := strings.Join(lines, " · "); termtext.Width(joined) <= s.secondWidth() {
		lines = []string{joined}
	}
	for _, line := range lines {
		rows = append(rows, s.wrapped(table.Cell{}, line, s.secondWidth(), faint)...)
	}
	return rows
}

// channels draws the channels; nothing if there are none.
func (s *Screen) channels(of *alerts.Overview) []string {
	var rows cells
	for i := range of.Channels {
		c := &of.Channels[i]
		ink := table.Ink{}
		if c.Waiting > 0 || c.Problem != "" {
			ink = table.NewInk(s.theme.Caution)
		}
		rows = append(rows, s.wrapped(table.Cell{Text: c.Name}, c.Status(), s.width-nameWidth-frameWidth, ink)...)
	}
	if rows == nil {
		return nil
	}
	return s.section("Channels", []table.Column{
		{Title: "Channel", Min: 18, Ideal: nameWidth, Tight: 8},
		{Title: "How it stands", Min: 24, Ideal: 40, Flex: 1, Tight: 10},
	}, rows, 0)
}

// others draws the rules of which there is no alert. With room for it, each has an empty line
// below.
func (s *Screen) others(of *alerts.Overview, height int) []string {
	faint := table.NewInk(s.theme.Faint)
	var rows cells
	for _, r := range alerts.Rules() {
		if slices.ContainsFunc(of.Alerts, func(e alerts.Entry) bool { return e.Rule == r.Name }) {
			continue
		}
		tells, command := r.Sample()
		tells = strings.TrimPrefix(tells, "tells ")
		rows = append(rows, []table.Cell{{Text: r.Name}, {Text: tells, Ink: faint}, {Text: command, Ink: faint}})
	}
	if spaced := 2*len(rows) + 3; spaced <= height {
		for n := len(rows); n > 0; n-- {
			rows = slices.Insert(rows, n, []table.Cell{})
		}
	}
	return s.section("Can be watched too", []table.Column{
		{Title: "Rule", Min: 18, Ideal: nameWidth, Tight: 8},
		{Title: "Tells", Min: 24, Ideal: 60, Tight: 10},
		{Title: "Added by", Min: 40, Ideal: 40, Priority: 1},
	}, rows, 0)
}

// commands draws the commands that change what is watched.
func (s *Screen) commands(of *alerts.Overview, height int) []string {
	faint := table.NewInk(s.theme.Faint)
	rows := cells{
		{{Text: addAlert}, {Text: "adds an alert", Ink: faint}},
		{{Text: "tarmac alerts channel add"}, {Text: "adds a channel", Ink: faint}},
		{{Text: "tarmac alerts test"}, {Text: "tries the channels", Ink: faint}},
		{{Text: "tarmac watch"}, {Text: "looks and tells until it is ended", Ink: faint}},
	}
	if n := len(of.Alerts); n > 0 {
		remove := fmt.Sprintf("tarmac alerts remove %d", of.Alerts[n-1].Number)
		rows = slices.Insert(rows, 1, []table.Cell{{Text: remove}, {Text: "removes one", Ink: faint}})
	}
	return s.section("Commands", []table.Column{
		{Title: "Command", Min: 32, Ideal: 38, Tight: 16}, {Title: "What it does", Min: 24, Ideal: 40, Flex: 1, Tight: 10},
	}, rows, height)
}
