package invoicepdf

import (
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service/invoicing"
)

const (
	gutter  = 16.0 // space between columns, in points
	padding = 6.0  // space above and below a row, in points
)

// table is the table of line items. Its float64 fields are the x coordinates at which the columns
// end.
type table struct {
	*sheet
	description, quantity, price, amount float64
	rows                                 []row
}

// row is a line item whose texts are wrapped to the column widths.
type row struct {
	description, quantity []string
	price, amount         string
}

func (r *row) lines() int { return max(1, len(r.description), len(r.quantity)) }

func (r *row) height() float64 { return float64(r.lines())*body.leading() + 2*padding }

// lines draws the line items and the totals below them.
func (s *sheet) lines() {
	sums := figures(s.Invoice)
	tail := float64(len(sums))*figureHeight + 2*padding
	if len(s.Invoice.LineItems) == 0 {
		s.ensureSpace(tail)
		s.totals(sums)
		return
	}
	t := s.columns(s.Invoice.LineItems)
	s.ensureSpace(2*rowHead + t.rows[0].height())
	t.head()
	s.header = t.head
	for i := range t.rows {
		after := 0.0
		if i == len(t.rows)-1 {
			after = tail // keeps the totals on the page of the last item
		}
		t.row(&t.rows[i], after)
	}
	s.header = nil
	s.ensureSpace(tail)
	s.totals(sums)
}

// columns lays out the table of items. The columns of quantities and amounts are as wide as their
// longest text, up to a maximum. Descriptions get the remaining width.
func (s *sheet) columns(items []invoicing.LineItem) *table {
	const (
		widestQuantity = 96.0  // width of 15 digits and a decimal point, in points
		widestSum      = 108.0 // width of an amount of 10^12 cents, in points
	)
	quantity, price, amount := s.measure(label, "QUANTITY"), s.measure(label, "UNIT PRICE"), s.measure(label, "AMOUNT")
	t := &table{sheet: s, rows: make([]row, len(items))}
	for i, item := range items {
		text := s.drawable(body, termtext.Line(item.Quantity))
		t.rows[i] = row{
			quantity: wrap(text, widestQuantity, s.measureIn(body)),
			price:    money.Text(item.UnitPriceCents, "USD"), amount: money.Text(item.AmountCents, "USD"),
		}
		quantity = max(quantity, min(widestQuantity, s.measure(body, text)))
		price = max(price, min(widestSum, s.measure(body, t.rows[i].price)))
		amount = max(amount, min(widestSum, s.measure(body, t.rows[i].amount)))
	}
	t.amount = right
	t.price = t.amount - amount - gutter
	t.quantity = t.price - price - gutter
	t.description = t.quantity - quantity - gutter
	for i, item := range items {
		text := s.drawable(body, termtext.Line(item.Description))
		t.rows[i].description = wrap(text, t.description-left, s.measureIn(body))
	}
	return t
}

const rowHead = 24.0

// head draws the column titles.
func (t *table) head() {
	y := baseline(label, t.y)
	t.text(label, left, y, "DESCRIPTION")
	t.textRight(label, t.quantity, y, "QUANTITY")
	t.textRight(label, t.price, y, "UNIT PRICE")
	t.textRight(label, t.amount, y, "AMOUNT")
	t.y += 15
	t.rule(gray, left, right)
	t.y += rowHead - 15 - padding
}

// row draws r on one page, unless r is higher than a page. If possible, it leaves at least
// spaceBelow points free below r on that page.
func (t *table) row(r *row, spaceBelow float64) {
	// Pages after the first start with the page header, which is 26 points high, and the column
	// titles.
	const available = bottom - top - 26 - rowHead
	switch h := r.height(); {
	case h+spaceBelow <= available:
		t.ensureSpace(h + spaceBelow)
	case h <= available:
		t.ensureSpace(h)
	}
	t.y += padding
	for from, end := 0, r.lines(); from < end; {
		t.ensureSpace(body.leading())
		upto := min(end, from+max(1, int((bottom-t.y)/body.leading())))
		t.column(body, left, t.y, part(r.description, from, upto))
		y := baseline(body, t.y)
		for i, text := range part(r.quantity, from, upto) {
			t.textRight(body, t.quantity, y+float64(i)*body.leading(), text)
		}
		if from == 0 {
			t.fittedAmount(body, t.price, y, t.price-t.quantity-gutter, r.price)
			t.fittedAmount(body, t.amount, y, t.amount-t.price-gutter, r.amount)
		}
		t.y += float64(upto-from) * body.leading()
		from = upto
	}
	t.y += padding
	t.rule(faint, left, right)
}

// part returns lines[start:end], but no lines beyond the end of the slice.
func part(lines []string, start, end int) []string {
	return lines[min(start, len(lines)):min(end, len(lines))]
}

// fittedAmount draws an amount that ends at x. If the text is wider than width, its font is
// reduced: amounts are never truncated or wrapped.
func (s *sheet) fittedAmount(t style, x, y, width float64, text string) {
	if w := s.measure(t, text); w > width {
		t.size *= width / w
	}
	s.textRight(t, x, y, text)
}

const figureHeight = 20.0

// totals draws the labeled amounts below the line items.
func (s *sheet) totals(all []figure) {
	const from = right - 236.0
	s.y += padding
	for _, f := range all {
		t := body
		if f.strong {
			s.y += 2
			s.rule(gray, from, right)
			s.y += 2
			t = style{"B", 11, black}
		}
		y := baseline(t, s.y+4)
		s.text(t, from, y, f.label)
		s.fittedAmount(t, right, y, right-from-s.measure(t, f.label)-gutter, f.sum)
		s.y += figureHeight
	}
}
