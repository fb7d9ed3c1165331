package runway

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/views"
	"tarmac/views/parts/table"
)

// level is what the panel of the forecast shows.
type level int

const (
	closed    level = iota // the weeks
	weekItems              // the items of a week
	itemRows               // the transactions of an item
	basisText              // the text about the forecast
)

// open is what is open in the panel of the forecast.
type open struct {
	level  level
	week   int
	item   int
	items  []item
	list   list // the items or their transactions
	offset int  // number of lines of basisText scrolled off the top
}

// item is a part of a week's money in or out.
type item struct {
	day     civil.Date // zero if the amount is spread over the week
	cents   int64      // negative for money out
	name    string
	what    string
	rows    []int  // indices in the ledger of the transactions that the amount is computed from
	invoice string // ID of an open invoice, which cents doesn't include; "" for other items
	owed    apiclient.Amount

	excluded int64 // number of transactions that the amount doesn't include
}

// itemsOf returns the items of a week, ordered by day. Their amounts, except for open invoices, add
// up to the net of the week.
func (s *Screen) itemsOf(w *forecast.Week) (items []item) {
	for _, p := range w.Payments {
		one := item{day: p.Day, cents: p.Cents, name: counterparty.Display(p.Name), what: "recurring, " + p.Rhythm.String()}
		for _, payment := range slices.Backward(p.Payments) {
			one.rows = append(one.rows, payment.Row)
		}
		if p.Direction == apiclient.Outflow {
			one.cents = -one.cents
		}
		if p.Cents != p.Usual {
			one.what += fmt.Sprintf(", %d %%", 100-s.weekly.forecast.Basis.LastYear)
		}
		items = append(items, one)
	}
	for i := range w.Bills {
		b := &w.Bills[i]
		one := item{day: w.First, name: b.VendorName, what: "bill " + b.Number + ", " + b.DueText(), owed: b.Open}
		one.cents = -figures.AmountOf(b.Reporting).Minor
		if b.DaysPastDue == 0 && !b.DueOn.IsZero() {
			one.day = b.DueOn
		}
		items = append(items, one)
	}
	for i := range w.Planned {
		p := &w.Planned[i]
		items = append(items, item{
			day: p.Day, cents: p.Cents, name: cmp.Or(p.Line.Name, string(p.Line.Kind)), what: "planned, hypothetical",
		})
	}
	for i := range w.Receipts {
		r := &w.Receipts[i]
		items = append(items, item{
			day: r.Day, name: r.RecipientName, what: "not added: invoice " + r.Number, invoice: r.ID, owed: r.Total,
		})
	}
	slices.SortStableFunc(items, func(a, b item) int { return a.day.Compare(b.day) })
	items = append(items, s.spreadItems(w)...)
	return items
}

// spreadItems returns the items of a week that have no day of their own: averages, and the same
// week of last year.
func (s *Screen) spreadItems(w *forecast.Week) (items []item) {
	b := &s.weekly.forecast.Basis
	basis, _ := b.Totals()
	percent := func(of string, n int64) string {
		if b.LastYear == 0 {
			return of
		}
		return fmt.Sprintf("%s, %d %%", of, n)
	}
	for _, one := range [...]item{
		{cents: w.AverageIn, name: "Other money in", what: percent("average of other income", 100-b.LastYear),
			rows: s.rowsOf(b.Rows, apiclient.Inflow)},
		{cents: -w.AverageOut, name: "Other money out", what: percent("average of other costs", 100-b.LastYear),
			rows: s.rowsOf(b.Rows, apiclient.Outflow)},
		{cents: w.LastYearIn, name: "Money in as last year", what: percent("last year's same week", b.LastYear),
			rows: s.rowsOf(w.LastYearRows, apiclient.Inflow)},
		{cents: -w.LastYearOut, name: "Other money out as last year", what: percent("last year's same week", b.LastYear),
			rows: s.rowsOf(w.LastYearRows, apiclient.Outflow)},
	} {
		if one.cents != 0 {
			one.excluded = basis.LeavesOut()
			items = append(items, one)
		}
	}
	return items
}

// rowsOf returns the indices of the transactions that are cost or income.
func (s *Screen) rowsOf(all []int, direction apiclient.Direction) (rows []int) {
	for _, row := range all {
		if s.weekly.ledger.Rows[row].CountsIn(direction) {
			rows = append(rows, row)
		}
	}
	return rows
}

func (s *Screen) openWeek(week int) {
	f := s.weeks()
	if f == nil || week >= len(f.Weeks) {
		return
	}
	s.open = open{level: weekItems, week: week, items: s.itemsOf(&f.Weeks[week])}
}

func (s *Screen) closeWeek() { s.open = open{} }

// reopen updates the open week or item for a new forecast.
func (s *Screen) reopen() {
	f := s.weeks()
	switch previous := s.open; {
	case previous.level == closed || previous.level == basisText:
	case f == nil:
		s.closeWeek()
	default:
		s.open.items = s.itemsOf(&f.Weeks[previous.week])
		if previous.level == weekItems {
			return
		}
		one := previous.items[previous.item]
		s.open.item = slices.IndexFunc(s.open.items, func(i item) bool {
			return i.name == one.name && i.what == one.what && i.day == one.day
		})
		if s.open.item < 0 {
			s.openWeek(previous.week)
		}
	}
}

// openItem shows the transactions of an item, or opens its invoice.
func (s *Screen) openItem(item int) tea.Cmd {
	if item >= len(s.open.items) {
		return nil
	}
	one := &s.open.items[item]
	switch {
	case one.invoice != "":
		return views.Go(views.Invoices, views.InvoiceTarget{ID: one.invoice})
	case len(one.rows) > 0:
		s.open.level, s.open.item, s.open.list = itemRows, item, list{}
	}
	return nil
}

// backInWeeks closes the innermost open part of the forecast's panel. It returns false if the weeks
// were shown.
func (s *Screen) backInWeeks() bool {
	switch s.open.level {
	case closed:
		return false
	case itemRows:
		s.open.level, s.open.list = weekItems, list{cursor: s.open.item}
	default:
		s.closeWeek()
	}
	return true
}

// fillOpen fills the list of the open week.
func (s *Screen) fillOpen(width, height int) {
	if s.open.level == basisText {
		return
	}
	switch s.open.level {
	case weekItems:
		columns := []table.Column{
			{Title: "Expected", Min: 10}, {Title: "Amount", Align: table.Right},
			{Title: "Counterparty", Min: 14, Tight: 8, Ideal: 28, Flex: 1},
			{Title: "Made of", Min: 18, Tight: 8, Ideal: 34, Flex: 2, Priority: 1},
			{Title: "Rows", Priority: 2, Align: table.Right},
		}
		s.open.list.fill(s.Theme, fitted(columns, len(s.open.items), s.itemCells), len(s.open.items), s.itemCells,
			width, height)
	case itemRows:
		columns := s.rowColumns(s.weekly.ledger.Currency)
		rows := s.open.items[s.open.item].rows
		cells := func(i int) []table.Cell { return s.rowCells(&s.weekly.ledger.Rows[rows[i]]) }
		s.open.list.fill(s.Theme, fitted(columns, 0, cells), len(rows), cells, width, height)
	}
	s.open.list.setActive(s.section == weekList)
}

func (s *Screen) itemCells(row int) []table.Cell {
	one, faint := &s.open.items[row], table.NewInk(s.Theme.Faint)
	day, rows := "this week", ""
	if !one.day.IsZero() {
		day = one.day.String()
	}
	if len(one.rows) > 0 {
		rows = money.Count(int64(len(one.rows)))
	}
	net := figures.Total{Minor: one.cents, Currency: s.Snapshot.Currency(), Kind: figures.Net, Excluded: one.excluded}
	amount := table.Cell{Text: figures.Unmarked(net.String()), Ink: s.inkOf(one.cents)}
	if one.invoice != "" || one.cents == 0 {
		amount = table.Cell{Text: one.owed.String(), Ink: faint}
	}
	return []table.Cell{
		{Text: day}, amount, {Text: one.name},
		{Text: one.what, Ink: faint}, {Text: rows, Ink: faint},
	}
}

// rowColumns are the columns of transactions with amounts in a currency.
func (s *Screen) rowColumns(currency string) []table.Column {
	return []table.Column{
		{Title: "Date", Min: 10}, {Title: currency, Min: 15, Align: table.Right},
		{Title: "Counterparty", Min: 14, Tight: 8, Ideal: 24, Flex: 1},
		{Title: "Memo", Min: 14, Ideal: 30, Flex: 2, Priority: 1},
	}
}

func (s *Screen) rowCells(r *spending.Row) []table.Cell {
	text, ink := money.Dash, table.NewInk(s.Theme.Unknown)
	if r.Reporting.Known() {
		text, ink = record.Sign(r.Direction)+r.Reporting.String(), table.NewInk(s.Theme.Outflow)
		if r.Direction == apiclient.Inflow {
			ink = table.NewInk(s.Theme.Inflow)
		}
	}
	return []table.Cell{
		{Text: r.Date.String()}, {Text: text, Ink: ink}, {Text: counterparty.Display(r.CounterpartyName)},
		{Text: r.Memo, Ink: table.NewInk(s.Theme.Faint)},
	}
}

func (s *Screen) inkOf(cents int64) table.Ink {
	if cents > 0 {
		return table.NewInk(s.Theme.Inflow)
	}
	return table.NewInk(s.Theme.Outflow)
}
