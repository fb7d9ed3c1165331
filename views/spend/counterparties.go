package spend

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/spending"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// counterpartyList is the list of counterparties.
type counterpartyList struct{ *Screen }

// sparks is the number of bars of months or payments in a cell. With its least width, a bar takes
// one cell; with the greatest, three.
const sparks = 12

// sparkColumn is a column with a bar for each month or payment.
func sparkColumn(title string, priority int) table.Column {
	return table.Column{Title: title, Bar: true, Min: sparks, Ideal: 3 * sparks, Priority: priority}
}

// monthColumns is the largest number of months that have a column each. More of them are bars.
const monthColumns = 3

// months returns the number of columns of months.
func (l counterpartyList) months() int {
	if l.choice.months > monthColumns {
		return 0
	}
	return l.choice.months
}

func (l counterpartyList) columns(width int) []table.Column {
	name := l.named(l.groupName("Counterparty", "Category"))
	columns := []table.Column{{Title: name, Name: true, Min: 19, Tight: 8, Flex: 1}}
	amount, total := l.Screen.figures.widestMonth, l.Screen.figures.widestTotal
	apart := 1 + max(0, width-120)/10 // not all of a wide page for the names
	for back := l.months() - 1; back >= 0; back-- {
		month := l.newestMonth().AddMonths(-back)
		columns = append(columns, table.Column{
			Title: month.Month().String()[:3], Min: 5, Ideal: amount + apart, Whole: 26, Priority: 1 + back,
			Align: table.Right,
		})
	}
	if l.months() == 0 {
		columns = append(columns, sparkColumn("By month", 3))
	}
	percent := l.percentWidth()
	return append(columns,
		table.Column{Title: "Total", Min: 5, Ideal: total + apart, Whole: 26, Align: table.Right},
		table.Column{
			Title: plural.Count(l.choice.months, "month") + ", share", Brief: "Share", Bar: true,
			Min: chart.LeastBar + percent, Ideal: chart.MostBar + percent, Priority: 2,
		},
		table.Column{Title: "a month +/-", Min: 11, Ideal: 11, Priority: 1, Align: table.Right},
		table.Column{Title: "Last", Min: 10, Ideal: 10, Priority: 5},
		table.Column{Title: "Rows", Min: 5, Ideal: 5, Priority: 6, Align: table.Right},
	)
}

// named returns a title with the unit of the amounts.
func (s *Screen) named(title string) string {
	if s.figures.scale.Unit == "" || s.Theme.Masked {
		return title
	}
	return title + ", " + s.figures.scale.Unit
}

// percentWidth returns the width of a percentage behind a bar, with a blank before it.
func (l counterpartyList) percentWidth() int {
	return len(" " + figures.Percent(l.Screen.figures.largestShare))
}

// shareColumn returns the index of the column of shares.
func (l counterpartyList) shareColumn() int { return 2 + max(1, l.months()) }

// figures returns the columns of the months, the total and the share.
func (l counterpartyList) figures(int) []int {
	first, n := 1, l.months()
	if n == 0 {
		first, n = 2, 0
	}
	var columns []int
	for i := range n + 2 {
		columns = append(columns, first+i)
	}
	return columns
}

func (l counterpartyList) widest() (widths []int) {
	for range l.months() {
		widths = append(widths, l.Screen.figures.widestMonth)
	}
	return append(widths, l.Screen.figures.widestTotal, 0)
}

func (l counterpartyList) states(i, _ int) (states []mark.State) {
	c := &l.Screen.figures.counterparties[i]
	for back := l.months() - 1; back >= 0; back-- {
		states = append(states, stateOf(c.Months[back]))
	}
	share := mark.None
	if c.Share.Known {
		if share = mark.Whole; c.Share.Mark() != figures.NoMark {
			share = mark.Lacking
		}
	}
	return append(states, stateOf(c.Total), share)
}

// stateOf returns what is known of an amount. A complete amount of 0 doesn't count for the marks of
// others.
func stateOf(t figures.Total) mark.State {
	if t.IsNothing() {
		return mark.None
	}
	return mark.Of(t)
}

func (counterpartyList) orders() []string { return texts(spending.CounterpartyOrders()) }
func (l counterpartyList) hint() string {
	return "in the name of the " + l.groupName("counterparty", "category")
}
func (l counterpartyList) count() int { return len(l.Screen.figures.counterparties) }
func (l counterpartyList) id(i int) string {
	return l.Screen.figures.counterparties[i].Key
}

func (l counterpartyList) name(i int) string {
	return counterparty.Display(l.Screen.figures.counterparties[i].Name)
}

func (l counterpartyList) matches(i int, text string) bool {
	return contains(l.Screen.figures.counterparties[i].Name, text)
}

func (l counterpartyList) cells(i, _ int, dst []table.Cell) []table.Cell {
	f := &l.Screen.figures
	c := &f.counterparties[i]
	dst = append(dst, table.Cell{Text: l.name(i)})
	for back := l.months() - 1; back >= 0; back-- {
		dst = append(dst, l.amount(c.Months[back], l.inks.faint))
	}
	if l.months() == 0 {
		bars := make([]int64, len(c.Months))
		for at, month := range c.Months {
			bars[len(bars)-1-at] = month.Minor
		}
		text := chart.Spark(bars, l.lists[counterparties].Table.Room(1))
		dst = append(dst, table.Cell{Text: l.hidden(text), Ink: l.inks.faint})
	}
	return append(dst,
		l.amount(c.Total, l.inks.total(c.Total, l.choice.direction)),
		table.Cell{Text: l.share(c), Ink: l.inks.faint},
		l.change(c),
		table.Cell{Text: c.Last.String(), Ink: l.inks.faint},
		table.Cell{Text: money.Count(int64(len(c.Rows))), Ink: l.inks.faint},
	)
}

// amount returns the cell of an amount in the unit of the list. A complete amount of 0 is blank.
func (l counterpartyList) amount(t figures.Total, ink table.Ink) table.Cell {
	switch {
	case t.Unknown:
		return table.Cell{Text: money.Dash, Ink: l.inks.unknown}
	case t.IsNothing():
		return table.Cell{}
	}
	return table.Cell{Text: l.hidden(l.Screen.figures.scale.Text(t.Minor)), Ink: ink}
}

// share returns the share of a counterparty as a bar with its percentage. The longest bar is that
// of the largest share.
func (l counterpartyList) share(c *spending.Counterparty) string {
	if !c.Share.Known || l.Theme.Masked {
		return l.hidden(c.Share.String())
	}
	room := l.lists[counterparties].Table.Room(l.shareColumn()) - l.percentWidth()
	bar := chart.Bar(c.Share.Tenths, l.Screen.figures.largestShare, lipgloss.NewStyle(), room)
	percent := figures.Percent(c.Share.Tenths)
	return bar + strings.Repeat(" ", max(0, l.percentWidth()-len(percent))) + percent
}

// change returns the change of a month's average against the months before. It is a dash while
// those months have not been read.
func (l counterpartyList) change(c *spending.Counterparty) table.Cell {
	first, _ := l.period()
	change := c.Change()
	if change.Unknown || !l.isRead(first.AddMonths(-l.choice.months)) {
		return table.Cell{Text: money.Dash, Ink: l.inks.unknown}
	}
	change.Minor /= int64(max(1, l.choice.months))
	text := l.Screen.figures.scale.Text(change.Minor)
	if text == l.Screen.figures.scale.Text(0) {
		change.Minor = 0 // too small for the column to call it dearer
	}
	ink := l.inks.faint
	if change.Minor > 0 {
		text = "+" + text
	}
	if worse := (change.Minor > 0) == (l.choice.direction == apiclient.Outflow); worse && change.Minor != 0 {
		ink = l.inks.caution
	}
	return table.Cell{Text: l.hidden(text), Ink: ink}
}

// hidden returns a text that shows the size of an amount, such as a share or a bar. While amounts
// are hidden, it returns dots.
func (s *Screen) hidden(text string) string {
	if s.Theme.Masked && text != "" {
		return mask.Dots
	}
	return text
}

func texts(orders []spending.Order) []string {
	var all []string
	for _, o := range orders {
		all = append(all, string(o))
	}
	return all
}

// counterpartySummary returns the parts of the line above the counterparties. A short summary lacks
// their number.
func (s *Screen) counterpartySummary(long bool) []string {
	f := &s.figures
	first, last := s.period()
	costs := s.directionText() + " " + s.marked(s.Theme.Strong, f.totals.Operating)
	current := 0
	for i := range f.counterparties {
		if len(f.counterparties[i].Rows) > 0 {
			current++
		}
	}
	if current == 0 && !f.totals.Operating.Unknown {
		costs = "no " + s.directionText()
	}
	parts := []string{costs, monthsText(first, last)}
	if long && current > 0 {
		parts = append(parts, plural.Count(current, s.groupName("counterparty", "category")))
	}
	if gone := len(f.counterparties) - current; gone > 0 && long {
		parts = append(parts, money.Count(int64(gone))+" only in the months before")
	}
	if !s.isRead(first) {
		parts = append(parts, s.Theme.Caution.Render("as far as read"))
	}
	return parts
}

// marked returns a total in a style, with the mark behind it if it is incomplete.
func (s *Screen) marked(style lipgloss.Style, t figures.Total) string {
	return s.markedAs(style.Render(figures.Unmarked(t.String())), t)
}

// markedShort returns an estimate in three digits, with its mark behind it.
func (s *Screen) markedShort(style lipgloss.Style, t figures.Total) string {
	return s.markedAs(style.Render(s.hidden(figures.Unmarked(t.Short()))), t)
}

func (s *Screen) markedAs(text string, t figures.Total) string {
	if t.Mark() == figures.NoMark {
		return text
	}
	return text + mark.Behind(s.Theme, true)
}

// counterpartyBasis says which rows the figures are derived from, and that they add up to the
// server's total.
func (s *Screen) counterpartyBasis() string {
	t := &s.figures.totals
	first, last := s.period()
	missing := s.figures.ledger.Coverage.Missing(first.AddMonths(-s.choice.months), last.LastOfMonth())
	if t.Rows == 0 {
		return missing.WhyOf(t.All)
	}
	name := "costs "
	if s.choice.direction == apiclient.Inflow {
		name = "income "
	}
	var parts []string
	for _, part := range [...]struct {
		name  string
		total figures.Total
	}{{name, t.Operating}, {"refunds ", t.Refunds}, {"own transfers ", t.OwnTransfers},
		{"financing ", t.Financing}} {
		if !part.total.IsNothing() {
			parts = append(parts, part.name+part.total.String())
		}
	}
	basis := plural.Count(t.Rows, "transaction") + ": " + strings.Join(parts, " + ")
	if len(parts) > 1 {
		basis += " = " + t.All.String()
	}
	switch {
	case !s.isRead(first):
		basis += ", as far as read."
	case s.differs(first, last):
		basis += "; the totals of the ledger differ."
	default:
		basis += ", the ledger's total."
	}
	switch {
	case t.All.IsTooLarge():
		basis += " " + missing.WhyOf(t.All)
	case missing.Any():
		basis += " " + missing.Why()
	}
	return basis + " Change: against " + monthsText(first.AddMonths(-s.choice.months), first.AddMonths(-1)) + "."
}

// openCounterparty returns the rows of a counterparty in the period, or else in the months before.
func (s *Screen) openCounterparty(i int) *opened {
	c := &s.figures.counterparties[i]
	first, last := s.period()
	o := &opened{title: counterparty.Display(c.Name), about: monthsText(first, last), indices: slices.Clone(c.Rows)}
	if len(c.Rows) == 0 {
		o.about, o.indices = monthsText(first.AddMonths(-s.choice.months), first.AddMonths(-1)), c.RowsBefore
	}
	return o
}
