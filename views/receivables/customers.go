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

// barCell draws the parts by age of a sum as a bar. The longest bar is that of the largest sum.
func barCell(t theme.Theme, parts []int64, largest int64, width int) table.Cell {
	all := sum(parts)
	cells := figures.Apportion([]int64{all, largest - all}, int64(width))
	if cells == nil || all == 0 {
		return table.Cell{}
	}
	return table.Cell{Drawn: chart.Stack(parts, t.Aging[:], max(1, int(cells[0])))}
}

// customerRows provides the rows of the customers table.
type customerRows struct{ *Screen }

func (s customerRows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	if i >= len(s.shown) {
		return dst, false
	}
	c := s.shown[i]
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
		barCell(s.theme, s.openByAge(c), s.mostOpen, s.customers.Room(byAgeColumn)),
	), true
}

// openByAge returns the open invoices of a customer by age, in the currency of the aging.
func (s *Screen) openByAge(c *collections.Customer) []int64 {
	currency := ""
	if a, known := s.data.Aging.Value(); known {
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

// filter recomputes the shown customers. The cursor stays on the same customer if that is still
// shown.
func (s *Screen) filter() {
	name, email := "", ""
	if c, ok := s.customer(); ok {
		name, email = c.Name, c.Email
	}
	ordered := slices.Clone(s.all)
	slices.SortStableFunc(ordered, sortings[s.sorting].compare)
	s.shown = nil
	at, widest := 0, 0
	var states [][]mark.State
	for i := range ordered {
		c := &ordered[i]
		if !record.Customer(c).Pick("recipient_name", "recipient_email").Contains(s.search) && !hasNumber(c, s.search) {
			continue
		}
		if c.Name == name && c.Email == email && at == 0 {
			at = len(s.shown)
		}
		s.shown = append(s.shown, c)
		widest = max(widest, termtext.Width(figures.Unmarked(c.OwedText())))
		states = append(states, []mark.State{owedState(c)})
	}
	places := mark.Place(states)
	s.allMarked = places.Title
	marks := slices.ContainsFunc(states, func(row []mark.State) bool { return row[0] == mark.Lacking })
	s.customers.Mark(overdueColumn, marks, s.allMarked)
	if marks {
		widest += mark.Width
	}
	s.customers.Widen(overdueColumn, widest)
	s.measure()
	s.customers.Highlight(s.search)
	s.customers.Invalidate()
	s.customers.SetRows(len(s.shown), len(s.shown))
	s.customers.SetCursor(at)
	s.selectCustomer()
}

func hasNumber(c *collections.Customer, text string) bool {
	return slices.ContainsFunc(c.Open, func(o collections.Open) bool {
		from, _ := fold.Find(o.Number, text)
		return from >= 0
	})
}

// customer returns the customer under the cursor.
func (s *Screen) customer() (*collections.Customer, bool) {
	if i := s.customers.Cursor(); i < len(s.shown) {
		return s.shown[i], true
	}
	return nil, false
}

// customersBody draws the table of the customers.
func (s *Screen) customersBody(int, int) []string {
	if len(s.shown) == 0 {
		return []string{s.theme.Faint.Render(s.noCustomers())}
	}
	return s.customers.Lines()
}

func sum(parts []int64) (total int64) {
	for _, part := range parts {
		total += part
	}
	return total
}

// noCustomers says why no customers are shown.
func (s *Screen) noCustomers() string {
	a, _ := s.data.Aging.Value()
	cents, fits := a.Buckets.Overdue()
	switch {
	case s.search != "" && len(s.all) > 0:
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
	if s.search != "" {
		title += fmt.Sprintf(`, filter "%s"`, s.search)
	}
	return title
}

// orderWords returns the words for the name of an exported file.
func (s *Screen) orderWords() []string {
	return append([]string{"customers"}, strings.Fields(s.search)...)
}
