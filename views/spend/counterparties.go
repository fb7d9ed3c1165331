package spend

import (
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/spending"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/table"
)

// counterpartyList is the list of counterparties.
type counterpartyList struct{ *Screen }

// sparkWidth returns the width of the bars of months or payments on a screen of the given width:
// twelve bars, or fewer wider ones.
func sparkWidth(width int) int {
	switch {
	case width >= 180:
		return 36
	case width >= 140:
		return 24
	}
	return 12
}

func (counterpartyList) columns(width int) []table.Column {
	average, change := 8, 9
	if isWide(width) {
		average, change = 14, 15
	}
	bars := sparkWidth(width)
	return []table.Column{
		{Title: "Counterparty", Min: 19, Ideal: 24, Tight: 8, Flex: 1},
		{Title: "By month", Min: bars, Ideal: bars, Priority: 3},
		{Title: "Total", Min: 13, Ideal: 15, Whole: 26, Align: table.Right},
		{Title: "Share", Min: 6, Ideal: 7, Priority: 2, Align: table.Right},
		{Title: "A month", Min: average, Ideal: average, Priority: 4, Align: table.Right},
		{Title: "Change", Min: change, Ideal: change, Priority: 1, Align: table.Right},
		{Title: "Last", Min: 10, Ideal: 10, Priority: 5},
		{Title: "Rows", Min: 5, Ideal: 5, Priority: 6, Align: table.Right},
	}
}

func (counterpartyList) orders() []string { return texts(spending.CounterpartyOrders()) }
func (counterpartyList) hint() string     { return "in the name of the counterparty" }
func (l counterpartyList) count() int     { return len(l.figures.counterparties) }
func (l counterpartyList) id(i int) string {
	return l.figures.counterparties[i].Key
}

func (l counterpartyList) matches(i int, text string) bool {
	return contains(l.figures.counterparties[i].Name, text)
}

func (l counterpartyList) cells(i, width int, dst []table.Cell) []table.Cell {
	c := &l.figures.counterparties[i]
	bars := make([]int64, len(c.Months))
	for at, month := range c.Months {
		bars[len(bars)-1-at] = month.Minor
	}
	share := c.Share.String()
	if c.Share.Known {
		share = l.hidden(share)
	}
	change, ink := l.change(c, isWide(width))
	return append(dst,
		table.Cell{Text: c.Name},
		table.Cell{Text: l.hidden(chart.Spark(bars, sparkWidth(width))), Ink: l.inks.faint},
		table.Cell{Text: c.Total.String(), Ink: l.inks.total(c.Total, l.choice.direction)},
		table.Cell{Text: share, Ink: l.inks.faint},
		table.Cell{Text: text(c.Average(), isWide(width)), Ink: l.inks.faint},
		table.Cell{Text: change, Ink: ink},
		table.Cell{Text: c.Last.String(), Ink: l.inks.faint},
		table.Cell{Text: money.Count(int64(len(c.Rows))), Ink: l.inks.faint},
	)
}

// change returns the change against the months before, and its style. It is a dash while those
// months have not been read.
func (l counterpartyList) change(c *spending.Counterparty, wide bool) (string, table.Ink) {
	first, _ := l.period()
	change := c.Change()
	if change.Unknown || !l.isRead(first.AddMonths(-l.choice.months)) {
		return money.Dash, l.inks.unknown
	}
	ink := l.inks.faint
	if worse := (change.Minor > 0) == (l.choice.direction == apiclient.Outflow); worse && change.Minor != 0 {
		ink = l.inks.caution
	}
	return text(change, wide), ink
}

// hidden returns a text that shows the size of an amount, such as a share or a bar. While amounts
// are hidden, it returns dots.
func (s *Screen) hidden(text string) string {
	if s.theme.Masked && text != "" {
		return mask.Dots
	}
	return text
}

// text returns a total to the cent, or shortened.
func text(t figures.Total, exact bool) string {
	if exact {
		return t.String()
	}
	return t.Short()
}

func texts(orders []spending.Order) []string {
	var all []string
	for _, o := range orders {
		all = append(all, string(o))
	}
	return all
}

// counterpartySummary returns the parts of the line above the counterparties. A short summary
// leaves out their number.
func (s *Screen) counterpartySummary(long bool) []string {
	f := &s.figures
	first, last := s.period()
	costs := s.directionText() + " " + s.theme.Strong.Render(f.totals.Operating.String())
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
		parts = append(parts, plural.Count(current, "counterparty"))
	}
	if gone := len(f.counterparties) - current; gone > 0 && long {
		parts = append(parts, money.Count(int64(gone))+" only in the months before")
	}
	if !s.isRead(first) {
		parts = append(parts, s.theme.Caution.Render("as far as read"))
	}
	if left := f.totals.Operating.WhyShort(); left != "" {
		parts = append(parts, s.theme.Caution.Render(left))
	}
	return parts
}

// counterpartyBasis says from which rows the figures are derived, and that they add up to the
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
	}{{name, t.Operating}, {"own transfers ", t.OwnTransfers}, {"financing ", t.Financing}} {
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
	case t.All.LeavesOut() > t.Operating.LeavesOut() || t.All.IsTooLarge():
		basis += " " + missing.WhyOf(t.All)
	case missing.Any():
		basis += " " + missing.Why()
	}
	return basis + " Change: against " + monthsText(first.AddMonths(-s.choice.months), first.AddMonths(-1)) + "."
}

// openCounterparty returns the rows of a counterparty. If there are none in the period, it returns
// those of the months before.
func (s *Screen) openCounterparty(i int) *opened {
	c := &s.figures.counterparties[i]
	first, last := s.period()
	if len(c.Rows) == 0 {
		return &opened{
			title: c.Name, about: monthsText(first.AddMonths(-s.choice.months), first.AddMonths(-1)), indices: c.RowsBefore,
		}
	}
	return &opened{title: c.Name, about: monthsText(first, last), indices: slices.Clone(c.Rows)}
}
