package transactions

import (
	"cmp"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/theme"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/table"
)

// Indices of columns. Those of the amounts in the currency of the totals and of the category are
// hidden until a row needs them.
const (
	amountColumn   = 1
	totalsColumn   = 2
	nameColumn     = 3
	categoryColumn = 4
	memoColumn     = 5
)

// noteSign precedes the memo of a transaction that has a note.
const noteSign = "»"

// columns returns the columns of the list. On a narrow screen, amounts in the currency of the
// totals are in the column of memos.
func columns() []table.Column {
	sample := record.Transaction(apiclient.Transaction{}).Annotated(annotations.Known{})
	return table.Titled(sample, []table.Column{
		{Field: "date", Min: 10, Ideal: 10},
		{Field: "amount_cents", Title: "Amount     ", Min: amount.Width, Whole: amount.Widest, Ideal: amount.Width + 2,
			Align: table.Right},
		{Field: "amount_usd_cents", Min: 13, Whole: amount.Widest, Ideal: 15, Priority: 2, Align: table.Right},
		{Field: "counterparty_name", Name: true, Min: 18, Tight: 8, Flex: 1},
		{Field: "category", Min: 8, Whole: table.WidestCategory, Tight: 8, Ideal: 18, Priority: 1},
		memoColumn: {
			Field: "memo", Brief: "Memo " + noteSign + " note", Min: 36, Tight: 15, Ideal: 40, Flex: 4, Priority: 1,
		},
		{Field: "method", Min: 6, Ideal: 10, Priority: 4},
		{Field: "source_label", Min: 15, Ideal: 15, Priority: 5},
		{Field: "has_receipt", Min: 7, Ideal: 7, Priority: 3},
	})
}

// rows provides the cells of the table. Each cell has a color for its meaning.
type rows struct {
	annotated                                 *annotations.File
	widest                                    int  // width of the widest category so far
	widestAmount, widestTotal, widestName     int  // the same of amounts, totals and names
	notes                                     bool // any transaction has a note
	table                                     *table.Table
	drawn                                     record.Object // fields of the row drawn last; the next row reuses the memory
	total                                     string        // its amount as totalText; "" if it is its own
	plain, in, out, unknown, faint, good, bad table.Ink
}

func (r *rows) setTheme(t theme.Theme) {
	r.in, r.out = table.NewInk(t.Inflow), table.NewInk(t.Outflow)
	r.unknown, r.faint = table.NewInk(t.Unknown), table.NewInk(t.Faint)
	r.good, r.bad = table.NewInk(t.Good), table.NewInk(t.Warning)
}

// cells appends the cells of a transaction to dst.
func (r *rows) cells(_ int, t *apiclient.Transaction, dst []table.Cell) ([]table.Cell, bool) {
	if t.Unreadable != nil {
		return append(
			dst,
			table.Cell{Text: cmp.Or(t.Date.String(), money.Dash)},
			table.Cell{Text: amount.InOwnCurrency(t.Amount, ""), Ink: r.unknown},
			table.Cell{Text: amount.InColumn(t.Reporting, ""), Ink: r.unknown},
			table.Cell{Text: "unreadable", Ink: r.bad},
		), true
	}
	r.total = ""
	if totalDiffers(t) {
		r.total = totalText(t)
	}
	r.drawn = record.AppendTransaction(r.drawn[:0], t).Annotated(r.annotated.Of(t))
	return r.table.Cells(dst, r.drawn, r.cell), true
}

func (r *rows) cell(f record.Field) table.Cell {
	if record.IsTotalsField(f.Name) {
		if r.total == "" {
			return table.Cell{}
		}
		return table.Cell{Text: amount.InColumn(f.Amount, f.Direction), Ink: r.money(f.Amount, f.Direction)}
	}
	switch f.Name {
	case "date", "counterparty_name":
		return table.Cell{Text: f.Text()}
	case "amount_cents":
		return table.Cell{Text: amount.InOwnCurrency(f.Amount, f.Direction), Ink: r.money(f.Amount, f.Direction)}
	case "memo":
		return table.Cell{Text: r.memo(f.Text()), Ink: r.faint}
	case "category":
		return table.Cell{Text: f.Text()}
	case "has_receipt":
		cell := table.Cell{Ink: r.good}
		if f.IsTrue() {
			cell.Text = "✓"
		}
		return cell
	}
	return table.Cell{Text: f.Text(), Ink: r.faint}
}

// memo returns the text of the column of memos in the row that is drawn.
func (r *rows) memo(text string) string {
	if r.total != "" && !r.table.Draws(totalsColumn) {
		text = strings.TrimSuffix(r.total+" · "+text, " · ")
	}
	if note := r.drawn.Get("note"); note.Text() != "" {
		text = noteSign + " " + text
	}
	return text
}

// totalDiffers reports whether the amount of a transaction in the currency of the totals differs
// from its own: that is in another currency, or only one of the two is known.
func totalDiffers(t *apiclient.Transaction) bool {
	return t.Amount.Currency() != t.Reporting.Currency() || t.Amount.Known() != t.Reporting.Known() ||
		t.Reporting.Known() && t.Amount != t.Reporting
}

// totalText returns the amount of a transaction in the currency of the totals, as text that needs
// no column header.
func totalText(t *apiclient.Transaction) string {
	if t.Reporting.Known() {
		return record.Sign(t.Direction) + t.Reporting.String()
	}
	return "no " + figures.Rate(t.Reporting.Currency())
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

// fields returns the fields of a transaction for the detail pane. Unknown values are explained in
// words.
func (r *rows) fields(t *apiclient.Transaction) []table.Field {
	o := record.Transaction(*t).InDetails(r.annotated.Of(t))
	ink := func(f record.Field) table.Ink {
		if record.IsTotalsField(f.Name) {
			return r.money(f.Amount, f.Direction)
		}
		switch f.Name {
		case "direction":
			return r.money(apiclient.NewAmount(0, ""), t.Direction)
		case "amount_cents":
			return r.money(f.Amount, f.Direction)
		case "id":
			return r.faint
		}
		return r.plain
	}
	if t.Unreadable != nil {
		fields := table.Fields(o.Pick("date", "id"), r.unknown, ink)
		return append(fields, table.Problem(t.Unreadable, r.bad))
	}
	return table.Fields(o, r.unknown, ink)
}
