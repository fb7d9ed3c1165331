package receivables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/fold"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/chart"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// sorting is an order of the customers.
type sorting struct {
	title   string
	rule    string // what decides the order, if the title does not say it
	compare func(a, b collections.Customer) int
}

// sortings are the orders that the sort key goes through.
var sortings = [...]sorting{
	{"whom to remind first", collections.Order, collections.ByPriority},
	{"by days late", "", func(a, b collections.Customer) int { return cmp.Compare(b.DaysLate(), a.DaysLate()) }},
	{"by usual delay", "", func(a, b collections.Customer) int { return cmp.Compare(usual(&b), usual(&a)) }},
	{"by expected day", "", func(a, b collections.Customer) int { return cmp.Compare(expected(&a), expected(&b)) }},
	{"by name", "", func(a, b collections.Customer) int { return cmp.Compare(fold.String(a.Name), fold.String(b.Name)) }},
}

// usual returns the usual delay for sorting. Customers without a habit come last.
func usual(c *collections.Customer) int {
	if !c.HasHabit {
		return -1 << 30
	}
	return c.Usual
}

// expected returns the next expected day for sorting. Customers without one come last.
func expected(c *collections.Customer) string { return cmp.Or(c.NextExpected().String(), "~") }

// Indices of the columns of overdue amounts and of bars.
const (
	overdueColumn = 1
	byAgeColumn   = 7
)

func customerColumns() []table.Column {
	return []table.Column{
		{Title: "Customer", Name: true, Min: 20, Tight: 8, Flex: 1},
		{Title: "Overdue", Min: 8, Whole: 22, Tight: 7, Ideal: 8, Align: table.Right},
		{Title: "Days late", Min: 9, Ideal: 9, Align: table.Right, Priority: 1},
		{Title: "Usually", Min: 12, Ideal: 12, Align: table.Right, Priority: 2},
		{Title: "Expected", Min: 14, Ideal: 14, Priority: 3},
		{Title: "Open", Min: 4, Ideal: 5, Align: table.Right, Priority: 5},
		{Title: "Paid", Min: 4, Ideal: 5, Align: table.Right, Priority: 4},
		byAgeColumn: barColumn("Open, by age"),
	}
}

// barColumn is a column with bars of parts by age.
func barColumn(title string) table.Column {
	return table.Column{
		Title: title, Brief: "By age", Bar: true, Min: chart.LeastBar, Ideal: chart.MostBar, Priority: 6,
	}
}

// barCell draws the parts by age of a sum as a bar. The largest sum has the longest bar.
func barCell(t theme.Theme, parts []int64, largest int64, width int) table.Cell {
	all := sum(parts)
	cells := figures.Apportion([]int64{all, largest - all}, int64(width))
	if cells == nil || all == 0 {
		return table.Cell{}
	}
	return table.Cell{Drawn: chart.Stack(parts, t.Aging[:], max(1, int(cells[0])))}
}

// customerRow appends the cells of a customer to dst.
func (s *Screen) customerRow(_ int, c *collections.Customer, dst []table.Cell) ([]table.Cell, bool) {
	owed, late, days := s.inks.plain, s.inks.aging[figures.BucketOf(c.DaysLate())], money.Count(int64(c.DaysLate()))
	switch {
	case c.OverdueCount() == 0:
		owed, late = s.inks.faint, s.inks.faint
	case c.DaysLate() == 0:
		days = money.Dash // the aging does not say
	}
	text := func(text string, ink table.Ink) table.Cell {
		if text == money.Dash {
			ink = s.inks.unknown
		}
		return table.Cell{Text: text, Ink: ink}
	}
	overdue := text(figures.Unmarked(c.OwedText()), owed)
	overdue.Marked = !s.allMarked && owedState(c) == mark.Lacking
	open, paid := money.Count(int64(len(c.Open))), money.Count(int64(c.Paid))
	if c.IsImported {
		open, paid = money.Dash, money.Dash
	}
	return append(
		dst, table.Cell{Text: nameOf(c)}, overdue, text(days, late),
		text(c.UsualText(), s.inks.plain), text(c.ExpectedText(), s.inks.plain), text(open, s.inks.faint),
		text(paid, s.inks.faint),
		barCell(s.Theme, s.openByAge(c), s.mostOpen, s.customers.Table.Room(byAgeColumn)),
	), true
}

// openByAge returns the open invoices of a customer by age, in the currency of the aging.
func (s *Screen) openByAge(c *collections.Customer) []int64 {
	currency := ""
	if a, known := s.Snapshot.Aging.Value(); known {
		currency = a.Currency
	}
	return c.OpenByAge(currency)
}

// owedState says what is known of what a customer owes.
func owedState(c *collections.Customer) mark.State {
	switch text := c.OwedText(); {
	case text == money.Dash || c.OverdueCount() == 0 && c.Owed.Minor == 0:
		return mark.None
	case figures.Unmarked(text) != text:
		return mark.Lacking
	}
	return mark.Whole
}

func nameOf(c *collections.Customer) string { return cmp.Or(c.Name, c.Email, money.Dash) }

type inks struct {
	plain, faint, unknown table.Ink

	aging [len(figures.BucketNames)]table.Ink
}

func newInks(t theme.Theme) inks {
	k := inks{faint: table.NewInk(t.Faint), unknown: table.NewInk(t.Unknown)}
	for bucket, style := range t.Aging {
		k.aging[bucket] = table.NewInk(style)
	}
	return k
}

// placeMarks decides where the table of customers has marks.
func (s *Screen) placeMarks() {
	widest, states := 0, make([][]mark.State, s.customers.Len())
	for i := range states {
		c := s.customers.Item(i)
		widest = max(widest, termtext.Width(figures.Unmarked(c.OwedText())))
		states[i] = []mark.State{owedState(c)}
	}
	s.allMarked = mark.Place(states).Title
	marks := slices.ContainsFunc(states, func(row []mark.State) bool { return row[0] == mark.Lacking })
	s.customers.Table.Mark(overdueColumn, marks, s.allMarked)
	if marks {
		widest += mark.Width
	}
	s.customers.Table.Widen(overdueColumn, widest)
}

// finds reports whether the name or address of a customer, or the number of an invoice, contains a
// text.
func finds(c *collections.Customer, text string) bool {
	return record.Customer(c).Pick("recipient_name", "recipient_email").Contains(text) || hasNumber(c, text)
}

func hasNumber(c *collections.Customer, text string) bool {
	return slices.ContainsFunc(c.Open, func(o collections.Open) bool {
		from, _ := fold.Find(o.Number, text)
		return from >= 0
	})
}

// customersBody draws the table of the customers.
func (s *Screen) customersBody(int, int) []string {
	if s.customers.Len() == 0 {
		return []string{s.Theme.Faint.Render(s.noCustomers())}
	}
	return s.customers.Table.Lines()
}

func sum(parts []int64) (total int64) {
	for _, part := range parts {
		total += part
	}
	return total
}

// noCustomers says why no customers are shown.
func (s *Screen) noCustomers() string {
	a, _ := s.Snapshot.Aging.Value()
	cents, fits := a.Buckets.Overdue()
	switch {
	case s.customers.Text != "" && len(s.all) > 0:
		return "No customer matches. x removes the filter."
	case s.invoices.State().Waiting:
		return "Loading invoices…"
	case !fits || cents != 0:
		return "The overdue customers are not named."
	}
	return figures.NoCustomers(a)
}

// customersTitle returns the title of the customers table: its order, on request with the rule of
// the order, and its filter.
func (s *Screen) customersTitle(withRule bool) string {
	title := "Customers, " + sortings[s.sorting].title
	if rule := sortings[s.sorting].rule; rule != "" && withRule {
		title += ": " + rule
	}
	if s.customers.Text != "" {
		title += fmt.Sprintf(`, filter "%s"`, s.customers.Text)
	}
	return title
}

// orderWords returns the words for the name of an exported file.
func (s *Screen) orderWords() []string {
	return append([]string{"customers"}, strings.Fields(s.customers.Text)...)
}
