package spend

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// changeList is the list of what changed the net between two months.
type changeList struct{ *Screen }

// barColumn is the index of the column with the signed bars of changes.
const barColumn = 5

func (l changeList) columns(int) []table.Column {
	before, after := l.compared()
	return []table.Column{
		{Title: "Counterparty", Name: true, Min: 14, Tight: 8, Flex: 1},
		{Title: "What", Min: 15, Ideal: 15, Priority: 1},
		{Title: figures.YearMonth(before), Min: 8, Ideal: 16, Whole: 26, Priority: 2, Align: table.Right},
		{Title: figures.YearMonth(after), Min: 8, Ideal: 16, Whole: 26, Priority: 2, Align: table.Right},
		{Title: "Change", Min: 8, Ideal: 16, Whole: 26, Align: table.Right},
		barColumn: {Bar: true, Min: 2*chart.LeastBar + 1, Ideal: chart.MostBar + 1, Priority: 3},
	}
}

func (changeList) orders() []string { return []string{"change", "name"} }
func (changeList) hint() string     { return "in the counterparty or kind" }
func (l changeList) count() int     { return len(l.Screen.figures.parts) }
func (l changeList) id(i int) string {
	return string(l.Screen.figures.parts[i].Kind) + "\x00" + l.Screen.figures.parts[i].Key
}

func (l changeList) name(i int) string {
	return counterparty.Display(l.Screen.figures.parts[i].Name)
}

func (l changeList) matches(i int, text string) bool {
	p := &l.Screen.figures.parts[i]
	return contains(p.Name, text) || contains(p.Words(), text)
}

func (l changeList) cells(i, _ int, dst []table.Cell) []table.Cell {
	p := &l.Screen.figures.parts[i]
	name, what := table.Cell{Text: l.name(i)}, table.Cell{Text: p.Words(), Ink: l.inks.faint}
	switch p.Kind {
	case spending.KindNet:
		name.Ink = l.inks.strong
	case spending.KindRest, spending.KindOwnTransfers, spending.KindFinancing:
		name.Ink = l.inks.faint
	}
	change := p.Change()
	dst = append(dst, name, what, l.net(p.Before), l.net(p.After), l.net(change))
	if room := l.lists[changes].Table.Room(barColumn); room > 0 && p.Kind != spending.KindNet && !change.Unknown {
		bar := chart.Signed(change.Minor, l.largest(), room)
		dst = append(dst, table.Cell{Text: l.hidden(bar), Ink: dst[len(dst)-1].Ink})
	}
	return dst
}

// figures returns the columns of the two nets and the change.
func (changeList) figures(int) []int { return []int{2, 3, 4} }

func (l changeList) widest() []int {
	widths := make([]int, 3)
	for _, p := range l.Screen.figures.parts {
		for at, sum := range [...]figures.Total{p.Before, p.After, p.Change()} {
			widths[at] = max(widths[at], termtext.Width(figures.Unmarked(sum.String())))
		}
	}
	return widths
}

func (l changeList) states(i, _ int) []mark.State {
	p := &l.Screen.figures.parts[i]
	return []mark.State{mark.Of(p.Before), mark.Of(p.After), mark.Of(p.Change())}
}

// largest returns the absolute value of the largest change of a part, without their sum.
func (l changeList) largest() (cents int64) {
	for _, p := range l.Screen.figures.parts[:len(l.Screen.figures.parts)-1] {
		if change := p.Change(); !change.Unknown {
			cents = max(cents, change.Minor, -change.Minor)
		}
	}
	return cents
}

func (l changeList) net(t figures.Total) table.Cell {
	ink := l.inks.plain
	switch {
	case t.Unknown:
		ink = l.inks.unknown
	case t.Minor > 0:
		ink = l.inks.in
	case t.Minor == 0:
		ink = l.inks.faint
	}
	return table.Cell{Text: figures.Unmarked(t.String()), Ink: ink}
}

// changeSummary returns the parts of the line above the changes.
func (s *Screen) changeSummary() []string {
	b := &s.figures.bridge
	before, after := s.compared()
	change := b.Change()
	return []string{
		"net of " + figures.YearMonth(before) + " " + s.marked(s.Theme.Strong, b.Before),
		"of " + figures.YearMonth(after) + " " + s.marked(s.Theme.Strong, b.After),
		"change " + s.marked(s.Theme.Strong, change),
	}
}

// changeBasis says which rows the changes are derived from, and whether they add up.
func (s *Screen) changeBasis() string {
	b := &s.figures.bridge
	before, after := s.compared()
	net := &s.figures.parts[len(s.figures.parts)-1]
	basis := "From " + plural.Count(len(net.RowsBefore)+len(net.RowsAfter), "transaction") + " of both months."
	switch {
	case !b.AddsUp():
		basis = strings.TrimSpace(basis + " " + cmp.Or(b.AddUpText(), b.Change().Why()))
	case s.differs(before, before) || s.differs(after, after):
		basis += " The changes add up to the difference of the nets, to the cent; the totals of the ledger differ."
	default:
		basis += " The changes add up to the difference of the nets of the ledger, to the cent."
	}
	if !s.Snapshot.History.Progress().Complete {
		basis += " What is new, stopped or none that month may change while older months are being read."
	}
	return basis
}

// differs reports whether the rows of a month from first to last do not add up to the server's
// totals. The months are given by their first days.
func (s *Screen) differs(first, last civil.Date) bool {
	for _, d := range s.Snapshot.History.Differences() {
		if !d.First.Before(first) && !d.First.After(last) {
			return true
		}
	}
	return false
}

func (s *Screen) openChange(i int) *opened {
	p := &s.figures.parts[i]
	before, after := s.compared()
	indices := slices.Concat(p.RowsBefore, p.RowsAfter)
	slices.Sort(indices)
	months := figures.YearMonth(before) + " and " + figures.YearMonth(after)
	return &opened{title: counterparty.Display(p.Name), about: months, indices: indices}
}

// monthsText returns two months as the user types them, or one month if both are the same.
func monthsText(first, last civil.Date) string {
	if first == last {
		return figures.YearMonth(first)
	}
	return figures.YearMonth(first) + ".." + figures.YearMonth(last)
}

// notRead returns why changes are not shown, or "" if they are.
func (s *Screen) notRead() string {
	before, _ := s.compared()
	switch {
	case !s.isRead(before):
		return figures.YearMonth(before) + " has not been read yet."
	case !s.figures.fits:
		return "The amounts of these months are too large to add up."
	}
	return ""
}
