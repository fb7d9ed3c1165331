package runway

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
)

const (
	compareMinHeight = 6 // lines of the comparison on a page too low for all of it
	compareRows      = 6 // lines of the comparison without the decision

	labelWidth    = 18 // width of the row labels in cells
	minColumn     = 12 // minimum width of a column
	defaultColumn = 22
	maxColumn     = 44 // maximum width, for long names
)

// compareHeight returns the full height of the comparison with a frame of the given height.
func (s *Screen) compareHeight(frame int) int {
	return compareRows + frame + len(s.decisionLines(s.Width-4))
}

// columnLetter returns the letter of a column in the chart: P for the plan, and A, B and so on for
// its cases. It returns 0 for other columns.
func columnLetter(o *plan.Outcome, at int) rune {
	switch c := &o.Columns[at]; {
	case c.Name == plan.WholePlan && !c.IsCase:
		return 'P'
	case c.IsCase:
		return 'A' + rune(at-len(o.Columns)+len(o.Plan.Cases))
	}
	return 0
}

// columnTitle returns the title of a column.
func columnTitle(o *plan.Outcome, at int) string {
	name := o.Columns[at].Name
	switch letter := columnLetter(o, at); {
	case name == plan.WithoutRaise && letter == 0:
		return "no raise"
	case name == plan.Current && letter == 0:
		return "Current"
	case !o.Columns[at].IsCase:
		return "P plan"
	case name == string(letter):
		return name
	default:
		return string(letter) + " " + name
	}
}

// planTitle is the title of the plan's figures, which must not be mistaken for actual ones.
const planTitle = "Plan · hypothetical"

// comparePanel draws the results of the plan in columns, or briefly in a few lines.
func (s *Screen) comparePanel(width, height int) []string {
	if height <= 0 {
		return nil
	}
	title := planTitle
	if s.file.problem != "" {
		title += " · old, the file is wrong now"
	}
	frame := panel.Frame{Title: title, Width: width, Height: height, Open: s.arranged.open, Body: s.compareBody}
	if s.arranged.briefly {
		frame.Open, frame.Body = true, func(width, _ int) []string { return s.compareBriefly(width) }
	}
	return panel.Draw(s.Theme, frame, s.Snapshot.Cash.State(), s.Now())
}

// casesTitle returns the results of the plan's cases, for the end of the chart's title.
func (s *Screen) casesTitle() string {
	var cases []string
	for _, f := range s.compareFacts()[1:] {
		cases = append(cases, f.Label+" "+f.Value)
	}
	return ", estimate; hypothetical: " + strings.Join(cases, ", ")
}

// casesFitTitle reports whether casesTitle fits into a line and says everything about the plan.
func (s *Screen) casesFitTitle() bool {
	const title = "─ Cash, M CHF: past ──" // the longest beginning of the line, and its end
	marked := slices.ContainsFunc(s.compareFacts(), func(f fact.Fact) bool { return f.Sign != "" })
	return s.hasOnlyCases() && len(s.confirmable()) == 0 && !marked &&
		ansi.StringWidth(title+s.casesTitle()) <= s.Width
}

// compareBriefly draws the runways of the plan and its cases in one line, with the months when the
// cash ends if they fit. The decisions follow, unless the plan has only cases and every payment is
// confirmed.
func (s *Screen) compareBriefly(width int) []string {
	facts := s.compareFacts()
	if s.hasOnlyCases() {
		facts = facts[1:] // without its cases, the plan changes no figure
	}
	all, months := make([]string, len(facts)), make([]string, len(facts))
	for i := range facts {
		f := &facts[i]
		behind := ""
		if f.Sign != "" {
			behind = mark.Behind(s.Theme, true)
		}
		short, _, _ := strings.Cut(f.Value, " mo")
		all[i] = f.Label + "  " + f.Style.Render(f.Value) + behind
		months[i] = f.Label + " " + f.Style.Render(short) + behind
	}
	line := strings.Join(all, "   ")
	if ansi.StringWidth(line) > width {
		line = s.Theme.Faint.Render("Months: ") + strings.Join(months, "  ")
	}
	if s.hasOnlyCases() && len(s.confirmable()) == 0 {
		return []string{line}
	}
	return append([]string{line}, s.decisionLines(width)...)
}

func (s *Screen) compareBody(width, height int) []string {
	columns, column := len(s.outcome.Columns), defaultColumn
	for i := range columns {
		column = max(column, ansi.StringWidth(columnTitle(s.outcome, i))+2)
	}
	column = min(column, maxColumn, (width-labelWidth)/columns)
	if column < minColumn {
		lines := fact.Lines(s.Theme, s.compareFacts(), width)
		return append(lines, fact.FirstLines(s.Theme, s.decisionLines(width), height-len(lines))...)
	}
	decisions := s.decisionLines(width)
	lines := s.columns(column, height, len(decisions))
	return append(lines, fact.FirstLines(s.Theme, decisions, height-len(lines))...)
}

// decisionLines returns by when money is needed, wrapped to width.
func (s *Screen) decisionLines(width int) []string {
	text := s.outcome.Decision.Text
	if n := len(s.confirmable()); n > 0 {
		text += " v: may a payment be what the plan says?"
	}
	if s.Theme.Masked {
		text = mask.Dots
	}
	return fact.Wrap(s.Theme, mark.Unsigned(text), width)
}

// columns returns the lines of the comparison: a column of labels, and one for each outlook.
func (s *Screen) columns(column, height, decisions int) []string {
	last := len(plan.CashMonths) - 1
	rows := []struct {
		label string
		value func(record.Object, *plan.Outlook) (text string, marked bool)
	}{
		{"", nil},
		{"Runway, months", func(r record.Object, _ *plan.Outlook) (string, bool) {
			f := r.Get("runway_months")
			return figures.Unmarked(f.TextOrDash()), f.Mark() != figures.NoMark
		}},
		{"Zero-cash (est.)", func(r record.Object, _ *plan.Outlook) (string, bool) {
			f, runway := r.Get("zero_cash_month"), r.Get("runway_months")
			return f.TextOrDash(), runway.Mark() != figures.NoMark
		}},
		{"Cash in " + strconv.Itoa(plan.CashMonths[last]) + " months", cashIn(last)},
		{"Cash in " + strconv.Itoa(plan.CashMonths[1]) + " months", cashIn(1)},
		{"Cash in " + strconv.Itoa(plan.CashMonths[0]) + " months", cashIn(0)},
	}
	// The last lines are reserved for the decision.
	rows = rows[:min(len(rows), max(1, height-decisions))]
	lines := make([]string, len(rows))
	for i, r := range rows {
		var b strings.Builder
		b.WriteString(s.Theme.Faint.Render(termtext.Fit(r.label, labelWidth)))
		for at := range s.outcome.Columns {
			o := &s.outcome.Columns[at]
			text, marked, behind, room := columnTitle(s.outcome, at), false, "", column-2
			if i > 0 {
				if text, marked = r.value(record.PlanColumn(o), o); s.Theme.Masked {
					text = mask.Dots
				}
				behind, room = mark.Behind(s.Theme, marked), column-4
			}
			cell := ansi.Truncate(text, room, "…")
			b.WriteString(strings.Repeat(" ", room+2-ansi.StringWidth(cell)))
			b.WriteString(s.styledCell(i, at, cell) + behind)
		}
		lines[i] = b.String()
	}
	return lines
}

func cashIn(at int) func(record.Object, *plan.Outlook) (string, bool) {
	return func(_ record.Object, o *plan.Outlook) (string, bool) {
		return figures.Unmarked(o.Cash[at].Short()), o.Cash[at].Mark() != figures.NoMark
	}
}

// styledCell renders a cell of the comparison. It highlights the title of the column that the weeks
// include, and colors runways by how short they are.
func (s *Screen) styledCell(row, at int, cell string) string {
	o := &s.outcome.Columns[at]
	selected := o.IsCase && o.Name == s.column || !o.IsCase && o.Name == plan.WholePlan && s.column == ""
	switch {
	case row == 0 && selected:
		return s.Theme.Selected.Render(cell)
	case row == 0 && at > 0:
		return s.Theme.Chip.Render(cell)
	case row == 0:
		return s.Theme.Strong.Render(cell)
	case row <= 2 && o.Runway != nil && !s.Theme.Masked:
		return s.Theme.Runway(o.Runway.Tenths()).Render(cell)
	}
	return s.Theme.Text.Render(cell)
}

// compareFacts returns a label and a value for each column except the first, for narrow pages and
// the clipboard.
func (s *Screen) compareFacts() []fact.Fact {
	var facts []fact.Fact
	for at := range s.outcome.Columns[1:] {
		o := record.PlanColumn(&s.outcome.Columns[at+1])
		zero, runway := o.Get("zero_cash_month"), o.Get("runway_months")
		f := fact.Fact{Label: upperFirst(columnTitle(s.outcome, at+1)), Value: zero.TextOrDash(), Style: s.Theme.Text}
		switch {
		case s.Theme.Masked:
			f.Value = mask.Dots
		case runway.Known():
			f.Short, f.Sign = zero.TextOrDash(), runway.Mark().Sign()
			f.Value = figures.Unmarked(runway.Text()) + " mo · " + f.Short
		}
		facts = append(facts, f)
	}
	return facts
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// chartBranches returns the lines of the plan and its cases in the chart. They end chart.MostAhead
// after today.
func (s *Screen) chartBranches(today civil.Date) (branches []chart.Branch) {
	for at := range s.outcome.Columns {
		letter, o := columnLetter(s.outcome, at), &s.outcome.Columns[at]
		if letter == 0 || letter == 'P' && s.hasOnlyCases() || o.Reason != "" || !o.Burning {
			continue
		}
		b := chart.Branch{Letter: letter, Zero: o.Zero}
		for months := range chart.MostAhead + 1 {
			day := today.AddMonths(months)
			if !o.Zero.IsZero() && !day.Before(o.Zero) {
				b.Ahead = append(b.Ahead, chart.Point{Day: o.Zero, Cents: s.outcome.Floor.Minor})
				break
			}
			b.Ahead = append(b.Ahead, chart.Point{Day: day, Cents: s.outcome.CashOn(o, day)})
		}
		branches = append(branches, b)
	}
	return branches
}
