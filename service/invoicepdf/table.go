package invoicepdf

import (
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service/invoicing"
)

const (
	gutter  = 16.0 // between columns
	padding = 6.0  // above and below a row
)

// table is where the columns of the line items end, on the right; the first
// begins at the left margin.
type table struct {
	*sheet
	description, quantity, price, amount float64
	rows                                 []row
}

// row is a line item ready to be drawn.
type row struct {
	description, quantity []string
	price, amount         string
}

func (r *row) lines() int { return max(1, len(r.description), len(r.quantity)) }

func (r *row) height() float64 { return float64(r.lines())*body.leading() + 2*padding }

// lines draws the line items and what they come to.
func (s *sheet) lines() {
	sums := figures(s.Invoice)
	tail := float64(len(sums))*figureHeight + 2*padding
	if len(s.Invoice.LineItems) == 0 {
		s.need(tail)
		s.totals(sums)
		return
	}
	t := s.columns(s.Invoice.LineItems)
	s.need(2*rowHead + t.rows[0].height())
	t.head()
	s.header = t.head
	for i := range t.rows {
		after := 0.0
		if i == len(t.rows)-1 {
			after = tail // totals do not stand on a page without a line
		}
		t.row(&t.rows[i], after)
	}
	s.header = nil
	s.need(tail)
	s.totals(sums)
}

// columns makes the figures' columns as wide as what is in them, within bounds,
// and gives the rest to the descriptions.
func (s *sheet) columns(items []invoicing.LineItem) *table {
	const (
		widestQuantity = 96.0  // 15 digits and a point
		widestSum      = 108.0 // 10^12 cents
	)
	quantity, price, amount := s.measure(label, "QUANTITY"), s.measure(label, "UNIT PRICE"), s.measure(label, "AMOUNT")
	t := &table{sheet: s, rows: make([]row, len(items))}
	for i, item := range items {
		text := s.drawable(body, termtext.Line(item.Quantity))
		t.rows[i] = row{
			quantity: wrap(text, widestQuantity, s.in(body)),
			price:    money.USD(item.UnitPriceCents), amount: money.USD(item.AmountCents),
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
		t.rows[i].description = wrap(text, t.description-left, s.in(body))
	}
	return t
}

const rowHead = 24.0

// head draws the titles of the columns.
func (t *table) head() {
	y := baseline(label, t.y)
	t.text(label, left, y, "DESCRIPTION")
	t.textRight(label, t.quantity, y, "QUANTITY")
	t.textRight(label, t.price, y, "UNIT PRICE")
	t.textRight(label, t.amount, y, "AMOUNT")
	t.y += 15
	t.rule(grey, left, right)
	t.y += rowHead - 15 - padding
}

// row draws a row, on one page unless a whole page is too short for it. What
// comes after it must fit on the page too.
func (t *table) row(r *row, after float64) {
	// A further page has its own head and the table's.
	const most = bottom - top - 26 - rowHead
	switch h := r.height(); {
	case h+after <= most:
		t.need(h + after)
	case h <= most:
		t.need(h)
	}
	t.y += padding
	for from, end := 0, r.lines(); from < end; {
		t.need(body.leading())
		upto := min(end, from+max(1, int((bottom-t.y)/body.leading())))
		t.column(body, left, t.y, part(r.description, from, upto))
		y := baseline(body, t.y)
		for i, text := range part(r.quantity, from, upto) {
			t.textRight(body, t.quantity, y+float64(i)*body.leading(), text)
		}
		if from == 0 {
			t.sum(body, t.price, y, t.price-t.quantity-gutter, r.price)
			t.sum(body, t.amount, y, t.amount-t.price-gutter, r.amount)
		}
		t.y += float64(upto-from) * body.leading()
		from = upto
	}
	t.y += padding
	t.rule(faint, left, right)
}

// part returns those of the lines from one to before another.
func part(lines []string, from, upto int) []string {
	return lines[min(from, len(lines)):min(upto, len(lines))]
}

// sum draws an amount of money that ends at x, smaller when it would be wider
// than room: figures are never cut or broken.
func (s *sheet) sum(t style, x, y, room float64, text string) {
	if w := s.measure(t, text); w > room {
		t.size *= room / w
	}
	s.textRight(t, x, y, text)
}

const figureHeight = 20.0

// totals draws the figures under the table.
func (s *sheet) totals(all []figure) {
	const from = right - 236.0
	s.y += padding
	for _, f := range all {
		t := body
		if f.strong {
			s.y += 2
			s.rule(grey, from, right)
			s.y += 2
			t = style{"B", 11, black}
		}
		y := baseline(t, s.y+4)
		s.text(t, from, y, f.label)
		s.sum(t, right, y, right-from-s.measure(t, f.label)-gutter, f.sum)
		s.y += figureHeight
	}
}
