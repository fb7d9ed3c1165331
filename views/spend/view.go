package spend

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/page"
	"tarmac/views/parts/panel"
)

// hasFigures reports whether any rows have been read.
func (s *Screen) hasFigures() bool {
	return s.figures.ledger != nil && s.Snapshot.History.State().HasFigures()
}

// head returns the lines above the list, and draws those below it. Low screens leave most of them
// out.
func (s *Screen) head() (above []page.Line) {
	s.below = nil
	const leastRows = 4
	room := s.Height - leastRows
	add := func(click func(x int) tea.Cmd, more ...string) {
		if len(more) > 0 && room >= len(more) {
			for _, line := range more {
				above = append(above, page.Line{Text: line, Click: click})
			}
			room -= len(more)
		}
	}
	input, hasInput := s.inputLine()
	if s.Typing() {
		room = max(room, 1)
	}
	if hasInput {
		room--
	}
	add(s.clickTitle, s.titleLine())
	if s.hasFigures() {
		add(nil, s.answered()...)
		add(nil, s.summaryLines()...)
	}
	for _, line := range s.notices() {
		add(nil, line)
	}
	if hasInput && room >= 0 {
		above = append(above, input)
	}
	addBelow := func(more []string) {
		if len(more) > 0 && room >= len(more) {
			s.below = append(s.below, more...)
			room -= len(more)
		}
	}
	if s.hasFigures() && s.rows == nil {
		addBelow(s.basisLines())
	}
	if s.hasFigures() {
		addBelow(s.missing())
	}
	return above
}

// clickTitle shows the list of figures whose name was clicked, or leaves the rows of a figure.
func (s *Screen) clickTitle(x int) tea.Cmd {
	if s.rows != nil {
		s.Back()
		return nil
	}
	for i, name := range s.tabNames() {
		width := ansi.StringWidth(name) + 2
		if x >= 0 && x < width && s.hasFigures() {
			s.showTab(kind(i))
			return nil
		}
		x -= width + len(tabGap)
	}
	return nil
}

// answered draws the sentence about the newest month, in at most two lines. It
// returns nil while amounts are hidden.
func (s *Screen) answered() []string {
	const most = 2
	if s.tab != counterparties || s.rows != nil || s.Theme.Masked {
		return nil
	}
	return fact.FirstLines(s.Theme, fact.WrapIn(s.Theme, s.Theme.Accent, s.figures.sentence, s.Width), most)
}

// missing draws the lines that say why figures are incomplete.
func (s *Screen) missing() []string {
	m := fact.Missing{Currency: s.figures.ledger.Currency}
	f := &s.figures
	switch {
	case s.rows != nil:
		m.OfTotal(s.rows.flows.Net)
	case s.tab == counterparties:
		m.OfTotal(f.totals.All)
	case s.tab == recurring && s.search.ledger != nil:
		m.OfTotal(s.search.ledger.YearlyTotal(f.recurring, s.choice.direction))
	case s.tab == changes && s.notRead() == "":
		m.OfTotal(f.bridge.Change())
	}
	if c, known := s.Snapshot.CashFigures(); known && s.rows == nil {
		if open := c.Unanswered(); open != "" {
			m.Sentences = append(m.Sentences, open)
		}
	}
	return m.Lines(s.Theme, s.Width, s.Height)
}

// notices returns what must be said above the list: a problem with the typed text, the question
// about a large history, and what is missing in it.
func (s *Screen) notices() []string {
	var lines []string
	if problem := s.input.months.Problem(); problem != "" {
		lines = append(lines, s.Theme.Caution.Render("! The comparison "+problem))
	}
	if !s.hasFigures() && !s.reading.Asking() && s.Snapshot.History.Progress().Rows == 0 {
		return lines // the panel below says why the list is empty
	}
	for _, line := range s.reading.Lines(s.Theme) {
		lines = append(lines, strings.Split(ansi.Wrap(line, s.Width, ""), "\n")...)
	}
	return lines
}

// tabNames returns the names of the lists of figures.
func (s *Screen) tabNames() [3]string {
	return [...]string{s.groupName("Counterparties", "Categories"), "Recurring", "Changes"}
}

// tabGap separates the names of the lists.
const tabGap = " "

// titleLine returns the names of the lists of figures, or the name of the figure whose rows are
// shown. At the right it says when the rows were read.
func (s *Screen) titleLine() string {
	if s.rows != nil {
		left := s.Theme.Faint.Render(s.tabNames()[s.tab]+" › ") + s.Theme.Title.Render(s.rows.title)
		return listdetail.AlignEnds(left, s.Theme.Faint.Render(s.rows.about), s.Width)
	}
	var names []string
	for i, name := range s.tabNames() {
		style := s.Theme.TabOff
		if kind(i) == s.tab {
			style = s.Theme.TabOn
		}
		names = append(names, style.Render(" "+name+" "))
	}
	right := ""
	if s.hasFigures() {
		at := s.Snapshot.History.State().LoadedAt
		right = s.Theme.Faint.Render(figures.WithTime("updated", &at, s.Now()))
	}
	return listdetail.AlignEnds(strings.Join(names, tabGap), right, s.Width)
}

// summaryLines returns the totals of what is listed. If they don't fit into one line, the
// least important are dropped and the others wrapped.
func (s *Screen) summaryLines() []string {
	dot := s.Theme.Faint.Render(" · ")
	if line := strings.Join(s.summary(true), dot); ansi.StringWidth(line) <= s.Width {
		return []string{line}
	}
	lines := []string{""}
	for _, part := range s.summary(false) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = part
		case ansi.StringWidth(*last+dot+part) <= s.Width:
			*last += dot + part
		default:
			lines = append(lines, part)
		}
	}
	return lines
}

func (s *Screen) summary(long bool) []string {
	switch {
	case s.rows != nil:
		return s.rowSummary()
	case s.tab == recurring && s.search.ledger == nil:
		return []string{"Looking for payments that recur…"}
	case s.tab == recurring:
		return s.recurringSummary()
	case s.tab == changes && s.notRead() != "":
		return []string{monthsText(s.compared())}
	case s.tab == changes:
		return s.changeSummary()
	}
	return s.counterpartySummary(long)
}

// basisLines says which rows the figures are derived from, and whether they add up.
func (s *Screen) basisLines() []string {
	basis := ""
	switch {
	case s.tab == counterparties:
		basis = s.counterpartyBasis()
	case s.tab == recurring:
		basis = s.recurringBasis()
	case s.notRead() == "":
		basis = s.changeBasis()
	}
	if basis == "" {
		return nil
	}
	if suspected := s.suspectedText(); suspected != "" {
		basis += " " + suspected
	}
	const unbreakable = "\u2011" // keeps months such as 2026-10 in one line
	lines := fact.Wrap(s.Theme, strings.ReplaceAll(mark.Sentence(basis), "-", unbreakable), s.Width)
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], unbreakable, "-")
	}
	return lines
}

// suspectedText says how many of the rows behind the figures may be transfers between own accounts.
// It returns "" if none may be.
func (s *Screen) suspectedText() string {
	f := &s.figures
	shown := func(month civil.Date) bool {
		switch before, after := s.compared(); s.tab {
		case counterparties:
			first, last := s.period()
			return !month.Before(first) && !month.After(last)
		case changes:
			return month == before || month == after
		}
		return true
	}
	var pairs []spending.Pair
	for _, p := range f.pairs {
		if shown(f.ledger.Rows[p.Out].Date.FirstOfMonth()) || shown(f.ledger.Rows[p.In].Date.FirstOfMonth()) {
			pairs = append(pairs, p)
		}
	}
	return spending.SuspectedText(pairs)
}

// inputLine draws the open prompt or question, or else the filters with the row number at the
// right. It returns false if there is neither.
func (s *Screen) inputLine() (line page.Line, ok bool) {
	if top := s.Top(); top != nil {
		return page.Line{Text: top.Draw()}, true
	}
	if !s.hasFigures() {
		return line, false
	}
	texts := s.chipTexts()
	line.Text = listdetail.AlignEnds(texts.Line(s.Theme), s.Theme.Faint.Render(s.list().Table.Position()), s.Width)
	line.Click = func(x int) tea.Cmd {
		if at, ok := texts.At(x); ok {
			s.removeChip(at)
		}
		return nil
	}
	return line, true
}

// lines draws the list, or a panel that says why it is missing.
func (s *Screen) lines(height int) []string {
	state := s.Snapshot.History.State()
	empty := s.emptyText()
	if s.hasFigures() && empty == "" {
		return s.list().Lines(s.Width, height)
	}
	if s.hasFigures() {
		state = resource.State{Status: resource.Empty}
	}
	frame := panel.Frame{Title: "Spend", EmptyText: empty, Width: s.Width, Height: height}
	return panel.Draw(s.Theme, frame, state, s.Now())
}

// emptyText says why the list is empty, or returns "" if it isn't.
func (s *Screen) emptyText() string {
	l := s.list()
	first, last := s.period()
	switch {
	case !s.hasFigures():
		return s.noRowsText()
	case s.rows == nil && s.tab == changes && s.notRead() != "":
		return "Nothing to compare. " + s.notRead()
	case l.Len() > 0:
		return ""
	case l.count() > 0:
		return "Nothing matches this filter. x removes it."
	case s.rows != nil:
		return "No transactions in " + s.rows.about + "."
	case s.tab == recurring && s.search.ledger == nil:
		return "Looking for payments that recur…"
	case s.tab == recurring:
		return s.search.ledger.NoneText(s.directionText(), s.choice.direction)
	}
	if oldest := first.AddMonths(-s.choice.months); s.differs(oldest, last) {
		return "No " + s.directionText() + " could be read in " + monthsText(oldest, last) + "."
	}
	return "No " + s.directionText() + " in " + monthsText(first.AddMonths(-s.choice.months), last) +
		". The current month counts once it is over."
}

// noRowsText says why no row has been read.
func (s *Screen) noRowsText() string {
	if len(s.Snapshot.History.Differences()) > 0 {
		return "No transaction could be read, although the server has some."
	}
	return "No transactions yet."
}

func (s *Screen) directionText() string {
	if s.choice.direction == apiclient.Inflow {
		return "money in"
	}
	return "money out"
}

// chip is the label of a choice that differs from the default, and what removes that choice.
type chip struct {
	label  string
	remove func()
}

// chips returns the filters of the shown list. x removes the last one first.
func (s *Screen) chips() []chip {
	var all []chip
	l := s.list()
	if s.rows == nil {
		if s.tab != changes && s.choice.direction == apiclient.Inflow {
			all = append(all, chip{s.directionText(), func() { s.setDirection(apiclient.Outflow) }})
		}
		if s.tab == counterparties && s.byCategory() {
			all = append(all, chip{"by category", func() { s.setCategory(false) }})
		}
		if s.tab == counterparties && s.choice.months != periods[0] {
			all = append(all, chip{
				plural.Count(s.choice.months, "month"), func() { s.setPeriod(periods[0]) },
			})
		}
		if before, after := s.compared(); s.tab == changes && after != s.newestMonth() ||
			s.tab == changes && before != s.newestMonth().AddMonths(-1) {
			all = append(all, chip{monthsText(before, after), func() { s.setCompared(civil.Date{}, civil.Date{}) }})
		}
	}
	if l.order > 0 {
		all = append(all, chip{"by " + l.orders()[l.order], func() { s.setOrder(l, 0) }})
	}
	if l.Text != "" {
		all = append(all, chip{"\"" + l.Text + "\"", func() { l.SetText("") }})
	}
	return all
}

func (s *Screen) chipTexts() (texts listdetail.Chips) {
	for _, c := range s.chips() {
		texts = append(texts, c.label)
	}
	return texts
}

// removeChip removes the choice of the chip with the given index, if there is one.
func (s *Screen) removeChip(i int) {
	if all := s.chips(); i >= 0 && i < len(all) {
		all[i].remove()
	}
}
