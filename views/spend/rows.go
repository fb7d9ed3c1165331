package spend

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/table"
)

// opened holds the rows of a figure. They stay the same while new rows are read.
type opened struct {
	title, about string
	ledger       *spending.Ledger
	indices      []int // rows in the order of the list
	newest       []int // the same rows, newest first
	flows        figures.Flows
}

// open opens the rows of the selected figure, or the details of the selected row.
func (s *Screen) open() {
	item, ok := s.list().selected()
	switch {
	case !ok:
		return
	case s.rows != nil:
		s.list().Opened = true
		s.list().Pane.Top()
		return
	}
	o := [...]func(int) *opened{
		counterparties: s.openCounterparty, recurring: s.openRecurring, changes: s.openChange,
	}[s.tab](item)
	if o.ledger == nil {
		o.ledger = s.figures.ledger
	}
	o.newest, o.flows = slices.Clone(o.indices), o.ledger.Flows(o.indices)
	l := &s.lists[transactions]
	l.Text, l.order, l.Following = "", 0, true
	s.rows = o
	l.Fill()
	s.makeTable(l)
}

func (s *Screen) sortRows() {
	o := s.rows
	o.indices = slices.Clone(o.newest)
	if s.lists[transactions].order > 0 {
		slices.SortStableFunc(o.indices, func(a, b int) int {
			return figures.BySize(o.ledger.Rows[b].Reporting, o.ledger.Rows[a].Reporting)
		})
	}
}

// rowList is the list of the rows of a figure.
type rowList struct{ *Screen }

func (l rowList) columns(int) []table.Column {
	sample := record.TransactionIn("")
	if l.rows != nil {
		sample = record.TransactionIn(l.rows.ledger.Currency)
	}
	columns := []table.Column{
		{Field: "date", Min: 10, Ideal: 10},
		{Field: sample.TotalsField(), Min: 13, Ideal: 15, Whole: 26, Align: table.Right},
		{Field: "counterparty_name", Name: true, Min: 18, Tight: 8, Flex: 2},
		{Field: "memo", Min: 20, Ideal: 28, Flex: 3, Priority: 1},
		{Field: "source_label", Min: 15, Ideal: 15, Priority: 4},
	}
	if l.isAnnotated() {
		sample = sample.Annotated(annotations.Known{})
		columns = slices.Insert(columns, 3, table.Column{Field: "category", Min: 12, Tight: 8, Ideal: 16, Priority: 1})
	}
	if l.hasOwnAmounts() {
		columns = slices.Insert(columns, 2, table.Column{
			Field: "amount_cents", Title: "Amount     ", Min: max(amount.Width, l.widestAmount()), Ideal: amount.Width + 2,
			Priority: 2, Align: table.Right,
		})
	}
	return table.Titled(sample, columns)
}

// hasOwnAmounts reports whether the amount of any row differs from that in the currency of the
// totals.
func (l rowList) hasOwnAmounts() bool {
	for i := range l.count() {
		if t := l.row(i); t.Amount != t.Reporting {
			return true
		}
	}
	return false
}

// widestAmount returns the width of the widest of the rows' own amounts.
func (l rowList) widestAmount() (cells int) {
	for i := range l.count() {
		cells = max(cells, amount.Needed(l.row(i).Amount))
	}
	return cells
}

func (rowList) orders() []string { return []string{"newest", "amount"} }
func (rowList) hint() string     { return "in counterparty, memo or reference" }

func (l rowList) count() int {
	if l.rows == nil {
		return 0
	}
	return len(l.rows.indices)
}

func (l rowList) row(i int) *apiclient.Transaction {
	return l.rows.ledger.Rows[l.rows.indices[i]].Transaction
}
func (l rowList) id(i int) string { return l.row(i).ID }

func (l rowList) name(i int) string { return l.row(i).CounterpartyName }

func (l rowList) matches(i int, text string) bool {
	t := l.row(i)
	return contains(t.CounterpartyName, text) || contains(t.Memo, text) || contains(t.Reference, text)
}

func (l rowList) cells(i, _ int, dst []table.Cell) []table.Cell {
	t := l.row(i)
	return l.lists[transactions].Table.Cells(dst, l.described(t), func(f record.Field) table.Cell {
		if record.IsTotalsField(f.Name) {
			return table.Cell{Text: amount.InColumn(f.Amount, f.Direction), Ink: l.inks.money(f.Amount, f.Direction)}
		}
		switch f.Name {
		case "date", "counterparty_name", "category":
			return table.Cell{Text: f.Text()}
		case "amount_cents":
			if t.Amount == t.Reporting {
				return table.Cell{}
			}
			return table.Cell{Text: amount.InOwnCurrency(f.Amount, f.Direction), Ink: l.inks.faint}
		}
		return table.Cell{Text: f.Text(), Ink: l.inks.faint}
	})
}

// figures returns no columns: amounts of rows are whole or unknown.
func (rowList) figures(int) []int            { return nil }
func (rowList) states(int, int) []mark.State { return nil }
func (rowList) widest() []int                { return nil }

// rowSummary returns the parts of the line above the rows of a figure: their totals.
func (s *Screen) rowSummary() []string {
	flows := &s.rows.flows
	noun := " transactions"
	if len(s.rows.newest) == 1 {
		noun = " transaction"
	}
	parts := []string{s.Theme.Strong.Render(money.Count(int64(len(s.rows.newest)))) + noun}
	if flows.In.Minor != 0 || flows.Out.Minor == 0 {
		parts = append(parts, "in "+s.marked(s.Theme.Inflow, flows.In))
	}
	if flows.Out.Minor != 0 || flows.In.Minor == 0 {
		parts = append(parts, "out "+s.marked(s.Theme.Outflow, flows.Out))
	}
	if flows.In.Minor != 0 && flows.Out.Minor != 0 {
		parts = append(parts, "net "+s.marked(s.Theme.Strong, flows.Net))
	}
	return parts
}

// fields returns the fields of a row for the details.
func (s *Screen) fields(i int) []table.Field {
	t := rowList{s}.row(i)
	o := record.Transaction(*t).InDetails(s.known.Of(t))
	return table.Fields(o, s.inks.unknown, func(f record.Field) table.Ink {
		if record.IsTotalsField(f.Name) {
			return s.inks.money(f.Amount, f.Direction)
		}
		switch f.Name {
		case "amount_cents":
			return s.inks.money(f.Amount, f.Direction)
		case "id":
			return s.inks.faint
		}
		return s.inks.plain
	})
}

// inks are the styles of cells.
type inks struct{ plain, strong, faint, unknown, accent, caution, in, out table.Ink }

func newInks(t theme.Theme) inks {
	return inks{
		strong: table.NewInk(t.Strong), faint: table.NewInk(t.Faint), unknown: table.NewInk(t.Unknown),
		accent: table.NewInk(t.Accent), caution: table.NewInk(t.Caution), in: table.NewInk(t.Inflow),
		out: table.NewInk(t.Outflow),
	}
}

func (i *inks) flow(d apiclient.Direction) table.Ink {
	if d == apiclient.Inflow {
		return i.in
	}
	return i.out
}

func (i *inks) money(a apiclient.Amount, d apiclient.Direction) table.Ink {
	if !a.Known() {
		return i.unknown
	}
	return i.flow(d)
}

func (i *inks) total(t figures.Total, d apiclient.Direction) table.Ink {
	if t.Unknown {
		return i.unknown
	}
	return i.flow(d)
}
