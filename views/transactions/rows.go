package transactions

import (
	"cmp"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/table"
)

func columns() []table.Column {
	return []table.Column{
		{Title: "Date", Min: 10, Ideal: 10},
		{Title: "Amount     ", Min: amount.Width, Ideal: amount.Width + 2, Align: table.Right},
		{Title: "USD", Min: 13, Ideal: 15, Priority: 2, Align: table.Right},
		{Title: "Counterparty", Min: 18, Tight: 8, Ideal: 24, Flex: 2},
		{Title: "Memo", Min: 20, Ideal: 28, Flex: 3, Priority: 1},
		{Title: "Method", Min: 6, Ideal: 10, Priority: 4},
		{Title: "Source", Min: 11, Ideal: 15, Priority: 5},
		{Title: "Receipt", Min: 7, Ideal: 7, Priority: 3},
	}
}

// rows gives the table its rows, each cell in the ink of what it means.
type rows struct {
	store                                     *store
	plain, in, out, unknown, faint, good, bad table.Ink
}

func (r *rows) setTheme(t theme.Theme) {
	r.in, r.out = table.NewInk(t.Inflow), table.NewInk(t.Outflow)
	r.unknown, r.faint, r.good, r.bad = table.NewInk(t.Unknown), table.NewInk(t.Faint), table.NewInk(t.Good), table.NewInk(t.Warning)
}

// Row returns the cells of the row with an absolute index.
func (r *rows) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	t, ok := r.store.row(i)
	if !ok {
		return dst, false
	}
	if t.Unreadable != nil {
		return append(dst, table.Cell{Text: cmp.Or(t.Date.String(), money.Dash)}, table.Cell{Text: amount.Own(t.Amount, ""), Ink: r.unknown},
			table.Cell{Text: amount.USD(t.USD, ""), Ink: r.unknown}, table.Cell{Text: "unreadable", Ink: r.bad}), true
	}
	receipt := ""
	if t.HasReceipt {
		receipt = "✓"
	}
	return append(dst,
		table.Cell{Text: t.Date.String()},
		table.Cell{Text: amount.Own(t.Amount, t.Direction), Ink: r.money(t.Amount, t.Direction)},
		table.Cell{Text: amount.USD(t.USD, t.Direction), Ink: r.money(t.USD, t.Direction)},
		table.Cell{Text: t.CounterpartyName},
		table.Cell{Text: t.Memo, Ink: r.faint},
		table.Cell{Text: t.Method, Ink: r.faint},
		table.Cell{Text: t.SourceLabel, Ink: r.faint},
		table.Cell{Text: receipt, Ink: r.good},
	), true
}

func (r *rows) money(a apiclient.Amount, d apiclient.Direction) table.Ink {
	switch {
	case !a.Known():
		return r.unknown
	case d == apiclient.Inflow:
		return r.in
	case d == apiclient.Outflow:
		return r.out
	}
	return r.plain
}

// fields says everything about a transaction in words, what is unknown included.
func (r *rows) fields(t *apiclient.Transaction) []table.Field {
	if t.Unreadable != nil {
		return []table.Field{
			r.maybe("Date", t.Date.String()), r.maybe("Id", t.ID),
			{Label: "Problem", Text: "could not be read: " + problem.OfRecord(t.Unreadable), Ink: r.bad},
		}
	}
	direction := map[apiclient.Direction]string{apiclient.Inflow: "money in", apiclient.Outflow: "money out"}[t.Direction]
	if direction == "" {
		direction = string(t.Direction)
	}
	own, usd := amount.Text(t.Amount, t.Direction), amount.Text(t.USD, t.Direction)
	if !t.Amount.Known() {
		own += " (the amount is unknown)"
		if c := t.Amount.Currency(); c != "" {
			own = money.Dash + " (the amount in " + c + " is unknown)"
		}
	}
	if !t.USD.Known() {
		usd += " (no USD rate: excluded from every sum)"
	}
	receipt := "none matched"
	if t.HasReceipt {
		receipt = "✓ matched to an invoice or bill"
	}
	return []table.Field{
		{Label: "Date", Text: t.Date.String()},
		{Label: "Direction", Text: direction, Ink: r.money(apiclient.NewAmount(0, ""), t.Direction)},
		{Label: "Amount", Text: own, Ink: r.money(t.Amount, t.Direction)},
		{Label: "USD", Text: usd, Ink: r.money(t.USD, t.Direction)},
		{Label: "Counterparty", Text: t.CounterpartyName},
		r.maybe("Memo", t.Memo),
		r.maybe("Method", t.Method),
		r.maybe("Reference", t.Reference),
		{Label: "Source", Text: t.SourceLabel},
		{Label: "Receipt", Text: receipt},
		r.maybe("Logo", t.LogoURL),
		{Label: "Id", Text: t.ID, Ink: r.faint},
	}
}

// maybe is a field that the server may know nothing of.
func (r *rows) maybe(label, text string) table.Field {
	if text == "" {
		return table.Field{Label: label, Text: money.Dash, Ink: r.unknown}
	}
	return table.Field{Label: label, Text: text}
}
