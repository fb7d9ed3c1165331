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

// Widths in cells.
const (
	oneLineWidth = 180 // minimum page width for all columns of an alert
	nameWidth    = 20  // column of names
	frameWidth   = 6   // frame of a panel, and the gap between two columns
)

// addAlert is an example of the command that adds an alert.
const addAlert = "tarmac alerts add runway-below 9"

// rows are the rows of a table.
type rows [][]table.Cell

// Row appends the cells of a row.
func (r rows) Row(row int, dst []table.Cell) ([]table.Cell, bool) {
	if row >= len(r) {
		return dst, false
	}
	return append(dst, r[row]...), true
}

// layOut draws all lines of the page: the alerts, the channels, the rules without an alert, and the
// commands. The last two are missing in a session, whose alerts can't be changed.
func (s *Screen) layOut() {
	overview, known := s.overview.Value()
	if !known || s.width <= 0 {
		s.lines = nil
		return
	}
	s.lines = append(s.alertPanel(overview), s.channelPanel(overview)...)
	if !overview.IsSession {
		rest := s.height - len(s.lines) - len(s.commandPanel(overview, 0))
		s.lines = append(s.lines, s.rulePanel(overview, rest)...)
		s.lines = append(s.lines, s.commandPanel(overview, s.height-len(s.lines))...)
	}
	s.scroll(0)
}

func (s *Screen) scroll(lines int) {
	s.offset = max(0, min(s.offset+lines, len(s.lines)-s.height))
}

// panel draws a panel with all rows of a table, in at least the given height.
func (s *Screen) panel(title string, columns []table.Column, all rows, height int) []string {
	t := table.New(columns, all)
	t.SetTheme(s.theme)
	t.SetRows(0, len(all)) // no cursor
	frame := panel.Frame{Title: title, Width: s.width, Height: max(height, len(all)+3)}
	frame.Body = func(width, height int) []string {
		t.SetSize(width, max(3, height))
		return t.Lines()
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}

// text returns the cell of a text, with its amounts hidden if the theme hides amounts.
func (s *Screen) text(text string, ink table.Ink) table.Cell {
	return table.Cell{Text: masked.Text(s.theme, text), Ink: ink}
}

func (s *Screen) alertPanel(overview *alerts.Overview) []string {
	caution, faint := table.NewInk(s.theme.Caution), table.NewInk(s.theme.Faint)
	columns := []table.Column{
		{Title: "Alert", Min: 18, Ideal: nameWidth, Tight: 8},
		{Title: "Now", Min: 24, Ideal: 38, Flex: 2, Tight: 10},
	}
	if s.width >= oneLineWidth {
		columns = append(columns, table.Column{Title: "Tells", Min: 24, Ideal: 38, Flex: 2},
			table.Column{Title: "Told", Min: 20, Ideal: 20},
			table.Column{Title: "To", Min: 8, Ideal: 24})
	}
	var all rows
	if len(overview.Alerts) == 0 {
		all = rows{{{Text: "none"}, {Text: "Nothing is watched."}}, {{}, {Text: addAlert + " adds an alert."}}}
	}
	for i := range overview.Alerts {
		e := &overview.Alerts[i]
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
		case s.width >= oneLineWidth:
			now[0] = append(now[0], s.text(strings.TrimPrefix(e.Tells, "tells "), faint),
				table.Cell{Text: strings.TrimPrefix(e.Told(), "told "), Ink: faint},
				table.Cell{Text: strings.Join(e.To, ", "), Ink: faint})
		default:
			now = append(now, s.details(e, faint)...)
		}
		all = append(all, now...)
		if e.Tells != "" && e.Problem != "" {
			all = append(all, s.wrapped(table.Cell{}, e.Problem, s.secondWidth(), caution)...)
		}
	}
	all = append(all, s.wrapped(table.Cell{Text: "Looked", Ink: faint}, overview.Looked(), s.secondWidth(), faint)...)
	return s.panel("Alerts", columns, all, 0)
}

// wrapped returns the rows of a text in the second column, wrapped to a width. The first row begins
// with name.
func (s *Screen) wrapped(name table.Cell, text string, width int, ink table.Ink) (all rows) {
	for line := range strings.SplitSeq(ansi.Wrap(masked.Text(s.theme, text), max(1, width), ""), "\n") {
		all = append(all, []table.Cell{name, {Text: line, Ink: ink}})
		name = table.Cell{}
	}
	return all
}

// secondWidth is the minimum width of the second column of the alerts.
func (s *Screen) secondWidth() int {
	if s.width >= oneLineWidth {
		return s.width * 3 / 10
	}
	return s.width - nameWidth - frameWidth
}

// details returns the rows below an alert on a narrow page: limit, last notification and channels.
func (s *Screen) details(e *alerts.Entry, faint table.Ink) (all rows) {
	lines := []string{e.Tells, e.Told() + " · to " + strings.Join(e.To, ", ")}
	if joined := strings.Join(lines, " · "); termtext.Width(joined) <= s.secondWidth() {
		lines = []string{joined}
	}
	for _, line := range lines {
		all = append(all, s.wrapped(table.Cell{}, line, s.secondWidth(), faint)...)
	}
	return all
}

func (s *Screen) channelPanel(overview *alerts.Overview) []string {
	var all rows
	for i := range overview.Channels {
		c := &overview.Channels[i]
		ink := table.Ink{}
		if c.Waiting > 0 || c.Problem != "" {
			ink = table.NewInk(s.theme.Caution)
		}
		all = append(all, s.wrapped(table.Cell{Text: c.Name}, c.Status(), s.width-nameWidth-frameWidth, ink)...)
	}
	if all == nil {
		return nil
	}
	return s.panel("Channels", []table.Column{
		{Title: "Channel", Min: 18, Ideal: nameWidth, Tight: 8},
		{Title: "How it stands", Min: 24, Ideal: 40, Flex: 1, Tight: 10},
	}, all, 0)
}

// rulePanel draws the rules without an alert, with empty lines between them if the height allows.
func (s *Screen) rulePanel(overview *alerts.Overview, height int) []string {
	faint := table.NewInk(s.theme.Faint)
	var all rows
	for _, r := range alerts.Rules() {
		if slices.ContainsFunc(overview.Alerts, func(e alerts.Entry) bool { return e.Rule == r.Name }) {
			continue
		}
		tells, command := r.Sample()
		tells = strings.TrimPrefix(tells, "tells ")
		all = append(all, []table.Cell{{Text: r.Name}, {Text: tells, Ink: faint}, {Text: command, Ink: faint}})
	}
	if spaced := 2*len(all) + 3; spaced <= height {
		for n := len(all); n > 0; n-- {
			all = slices.Insert(all, n, []table.Cell{})
		}
	}
	return s.panel("Can be watched too", []table.Column{
		{Title: "Rule", Min: 18, Ideal: nameWidth, Tight: 8},
		{Title: "Tells", Min: 24, Ideal: 60, Tight: 10},
		{Title: "Added by", Min: 40, Ideal: 40, Priority: 1},
	}, all, 0)
}

// commandPanel draws the commands that change alerts and channels.
func (s *Screen) commandPanel(overview *alerts.Overview, height int) []string {
	faint := table.NewInk(s.theme.Faint)
	all := rows{
		{{Text: addAlert}, {Text: "adds an alert", Ink: faint}},
		{{Text: "tarmac alerts channel add"}, {Text: "adds a channel", Ink: faint}},
		{{Text: "tarmac alerts test"}, {Text: "tries the channels", Ink: faint}},
		{{Text: "tarmac watch"}, {Text: "looks and tells until it is ended", Ink: faint}},
	}
	if n := len(overview.Alerts); n > 0 {
		remove := fmt.Sprintf("tarmac alerts remove %d", overview.Alerts[n-1].Number)
		all = slices.Insert(all, 1, []table.Cell{{Text: remove}, {Text: "removes one", Ink: faint}})
	}
	return s.panel("Commands", []table.Column{
		{Title: "Command", Min: 32, Ideal: 38, Tight: 16}, {Title: "What it does", Min: 24, Ideal: 40, Flex: 1, Tight: 10},
	}, all, height)
}
