package runway

import (
	"slices"
	"strings"
	"time"

	"tarmac/client/figures"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// arrangement holds the heights of the page's panels in lines. A panel of height 0 is hidden.
type arrangement struct {
	beside                        bool // the figures appear beside the chart
	spark                         bool // the figures have a sparkline instead of a chart
	figures, chart, whatif, table int
	figuresWidth                  int // width of the figures in cells
	lists                         []placed
}

// wholeTable is the height of a list of thirteen months or weeks, with its frame and titles.
const wholeTable = 13 + 3

// figuresWidth is the width, in cells, of the panel of figures beside the chart, and
// wideFiguresWidth its width on a page that shows both lists.
const figuresWidth, wideFiguresWidth = 42, 64

// room returns the height that the sentences and the lines at the bottom leave to the panels.
func (s *Screen) room() int { return s.height - len(s.excluded()) - len(s.answered()) }

// answered draws the sentences at the top of the page, in at most a seventh of its height.
func (s *Screen) answered() []string {
	const part, most = 7, 5
	if s.tooSmall() || s.form.Open() {
		return nil
	}
	return s.answers.Lines(s.theme, s.width, min(most, s.height/part))
}

// divided divides a height among the panels.
func (s *Screen) divided(height int) arrangement {
	a := s.heights(height)
	if !a.beside && a.chart == 0 && a.table > leastTable {
		a.spark, a.figures, a.table = true, a.figures+1, a.table-1
	}
	above := a.figures + a.whatif
	if !a.beside {
		above += a.chart
	}
	a.lists = s.place(above, a.table)
	return a
}

func (s *Screen) heights(height int) arrangement {
	width := s.width
	if width >= 100 && height >= 22 {
		return s.besides(height)
	}
	a := arrangement{figures: min(height, s.figuresHeight(height)), figuresWidth: width}
	rest := height - a.figures
	switch {
	case width < 40 || rest < 6:
		a.figures = height
	case s.comparing():
		a.divide(rest)
	case rest < wholeTable+leastChart:
		a.table = rest
	default:
		a.table = wholeTable
		a.chart = rest - a.table
	}
	return a
}

// besides returns the arrangement with the figures beside the chart. The lists get room for all
// their rows, as long as the chart keeps half of the page.
func (s *Screen) besides(height int) arrangement {
	a := arrangement{beside: true, figuresWidth: figuresWidth}
	if s.width >= bothWidth {
		a.figuresWidth = wideFiguresWidth
	}
	half := height / 2
	if s.comparing() {
		a.whatif = whatifHeight
		half -= whatifHeight
	}
	if a.table = min(half, wholeTable); a.table <= 3 {
		a.table = 0
	}
	a.chart = height - a.whatif - a.table
	a.figures = a.chart
	return a
}

// leastChart and leastTable are the least heights of a useful chart and list.
const leastChart, leastTable = 9, 6

// divide divides the given number of lines below the figures among the panels, while scenarios are
// shown. The scenarios come first, then the list, then the chart.
func (a *arrangement) divide(lines int) {
	if lines < whatifMinHeight+leastTable {
		a.whatif = min(lines, whatifHeight)
		a.figures += lines - a.whatif
		return
	}
	a.whatif = min(lines-leastTable, whatifHeight)
	lines -= a.whatif
	if a.table = lines; lines >= leastTable+leastChart {
		a.chart = max(leastChart, lines-wholeTable)
		a.table = lines - a.chart
	}
}

// figuresHeight returns the height of the panel of figures when it is above the chart. The panel
// includes the server's note.
func (s *Screen) figuresHeight(height int) int {
	const least = 6
	most := 10
	if s.comparing() {
		most = max(least, min(most, height-whatifMinHeight))
	}
	if !s.data.Cash.State().HasFigures() {
		return least
	}
	inner := s.width - 4
	lines, note := len(s.withMeanings(fact.Columns(s.theme, s.facts(), inner), inner)), len(s.runwayNote(inner, most))
	c, _ := s.data.CashFigures()
	const below = 14 // minimum height of the chart and the table of months together
	if caveat := fact.Wrap(s.theme, c.Caveat(), inner); len(caveat) > 0 && height-lines-note-2 < below {
		note = len(caveat)
	}
	return max(least, min(most, lines+note+2))
}

func (s *Screen) draw() []string {
	if s.form.Open() {
		return append(strings.Split(s.form.Draw(), "\n"), s.excluded()...)
	}
	return slices.Concat(s.answered(), panel.Box(s.panels(s.arranged), s.width, s.room()), s.excluded())
}

func (s *Screen) panels(a arrangement) []string {
	if a.beside {
		top := panel.Beside(s.figuresPanel(a.figuresWidth, a.figures), s.chartPanel(s.width-a.figuresWidth, a.chart))
		return slices.Concat(top, s.whatifPanel(s.width, a.whatif), s.lists(a.lists))
	}
	if s.tooSmall() {
		return s.unframed(s.room())
	}
	return slices.Concat(
		s.figuresPanel(s.width, a.figures), s.whatifPanel(s.width, a.whatif),
		s.chartPanel(s.width, a.chart), s.lists(a.lists),
	)
}

// tooSmall reports whether the page is too small for panels, so that it shows only the figures.
func (s *Screen) tooSmall() bool { return s.height < 12 || s.width < 40 }

// excluded returns the lines at the bottom of the page. They say how many transactions and
// receivables are left out of the visible sums because they have no exchange rate. It returns nil
// if none are left out.
func (s *Screen) excluded() []string {
	lines := s.leftOut()
	if c, ok := s.data.CashFigures(); ok && !s.form.Open() {
		lines = append(lines, fact.Unanswered(s.theme, c, s.width, s.height)...)
	}
	return lines
}

// leftOut explains the marks of figures that leave out transactions or receivables.
func (s *Screen) leftOut() []string {
	var transactions, receivables int64
	switch {
	case s.form.Open():
		return fact.Excluded(s.theme, s.width, s.height, 0, s.overdue().Excluded, s.data.Currency())
	case s.comparing():
		receivables = s.excludedReceivables()
	}
	if f := s.weekly.forecast; f != nil && s.section == weekList && receivables == 0 && s.width < bothWidth {
		return fact.LeftOut(s.theme, s.width, s.height, f.Figures(0).Cash)
	}
	if known := s.data.MonthFigures(); s.data.Months.State().HasFigures() && !s.tooSmall() {
		if a := s.divided(s.height - len(s.answered())); a.table > 0 || a.chart > 0 {
			transactions = figures.Unconverted(known)
		}
	}
	return fact.Excluded(s.theme, s.width, s.height, transactions, receivables, s.data.Currency())
}

func (s *Screen) asOf(now time.Time) string {
	if c, ok := s.data.Cash.Value(); ok {
		return figures.WithTime("as of", &c.AsOf, now)
	}
	return ""
}

func (s *Screen) figuresPanel(width, height int) []string {
	now := s.env.Now()
	return panel.Draw(s.theme, panel.Frame{
		Title: "Runway", Note: s.asOf(now), Width: width, Height: height, Body: s.figuresBody,
	}, s.data.Cash.State(), now)
}

func (s *Screen) facts() []fact.Fact {
	cash, _ := s.data.CashFigures()
	f := fact.CashOf(s.theme, cash)
	return []fact.Fact{f.OnHand, f.Spendable, f.NetBurn, f.Runway, f.ZeroCash}
}

func (s *Screen) figuresBody(width, height int) []string {
	lines := s.figuresLines(width, height)
	if !s.arranged.spark {
		return lines
	}
	lines = fact.FirstLines(s.theme, s.figuresLines(width, height-1), height-1)
	return append(lines, s.sparkline(width))
}

// sparkline returns past and expected cash as one line. It is empty if they are unknown or hidden.
func (s *Screen) sparkline(width int) string {
	months := s.data.MonthFigures()
	known := slices.ContainsFunc(months, func(m figures.Month) bool { return !m.Flows().Net.Unknown })
	if c, ok := s.data.CashFigures(); ok && c.Burning != figures.BurningUnknown && known {
		if line, ok := s.cashLine(); ok {
			return line.Sparkline(s.theme, width)
		}
	}
	return ""
}

// figuresLines returns the figures, followed by as much as fits of the server's note, the sentences
// about the forecast and hints.
func (s *Screen) figuresLines(width, height int) []string {
	c, _ := s.data.CashFigures()
	lines := fact.Columns(s.theme, s.facts(), width)
	if s.section == weekList && s.weekly.forecast != nil && s.arranged.beside {
		return append(lines, s.sentencesWithin(width, height-len(lines)-1)...)
	}
	note := s.runwayNote(width, height-len(lines))
	if with := s.withMeanings(lines, width); height >= len(with)+len(note) {
		lines = with
	}
	if height > len(lines)+len(note) {
		lines = append(lines, "")
	}
	lines = append(lines, note...)
	words := fact.Wrap(s.theme, "Net burn is an estimate; the zero-cash date follows from it.", width)
	if c.Runway == nil || height < len(lines)+1+len(words) {
		return lines
	}
	lines = slices.Concat(lines, []string{""}, words)
	if hint := fact.Wrap(s.theme, whatifHint, width); s.scenarios.Count() == 0 && height > len(lines)+len(hint) {
		lines = slices.Concat(lines, []string{""}, hint)
	}
	return append(lines, s.sentencesWithin(width, height-len(lines)-1)...)
}

// withMeanings adds what cash on hand and spendable cash include. It adds a line below each amount,
// or one more figure if the figures are in two columns.
func (s *Screen) withMeanings(lines []string, width int) []string {
	if len(lines) < len(s.facts()) {
		leavesOut := fact.Fact{Label: "Spendable excludes", Value: "held and locked", Style: s.theme.Faint}
		return fact.Columns(s.theme, append(s.facts(), leavesOut), width)
	}
	return slices.Concat(
		lines[:1], fact.CashMeaning(s.theme, width), lines[1:2], fact.SpendableMeaning(s.theme, width), lines[2:],
	)
}

const whatifHint = "Press n to try a scenario: less burn, a new hire, a funding round, a lost customer."

// runwayNote returns the server's note about the runway in at most height lines. Without a note, it
// says why there is no runway.
func (s *Screen) runwayNote(width, height int) []string {
	c, _ := s.data.CashFigures()
	if c.Note() != "" {
		return fact.Note(s.theme, c, width, height)
	}
	return fact.FirstLines(s.theme, fact.Wrap(s.theme, c.Reason, width), height)
}

// unframed draws the figures without panels. If there are no figures, it draws one panel that says
// why.
func (s *Screen) unframed(height int) []string {
	now := s.env.Now()
	state := s.data.Cash.State()
	if !state.HasFigures() {
		return panel.Draw(s.theme, panel.Frame{Title: "Runway", Width: s.width, Height: height}, state, now)
	}
	lines := fact.Lines(s.theme, s.facts(), s.width)
	if s.comparing() {
		lines = append(lines, fact.Lines(s.theme, s.whatifFacts(s.outlooks), s.width)...)
	}
	if notice := panel.NoticeWithin(state, now, s.width-2); notice != "" {
		lines = append(lines, s.theme.Caution.Render("◌ "+notice))
	} else if c, _ := s.data.CashFigures(); c.Caveat() == "" {
		lines = append(lines, s.theme.Faint.Render(s.asOf(now)))
	}
	return append(lines, s.runwayNote(s.width-2, height-len(lines))...)
}
