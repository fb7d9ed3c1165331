package field

import (
	"tarmac/client/proposal"
	"tarmac/internal/civil"
)

// Money is a field for US dollars as people type them: 1200, $1,200.50, 1.5k.
type Money struct{ Text }

// NewMoney returns an empty field.
func NewMoney(hint string) Money { return Money{NewText(hint, 30)} }

// Settle rewrites the amount as understood: 1,500.00 for 1.5k.
func (m *Money) Settle() { m.settle(proposal.PriceText(m.Value())) }

// Quantity is a field for a decimal quantity: 1, 1.5, 12.5 hours.
type Quantity struct{ Text }

// NewQuantity returns an empty field.
func NewQuantity(hint string) Quantity { return Quantity{NewText(hint, 16)} }

// Settle rewrites the quantity as understood: 12.5 for 12.5 hours.
func (q *Quantity) Settle() { q.settle(proposal.QuantityText(q.Value())) }

// Date is a field for a day, absolute or relative to today: 2026-12-31, net 30.
type Date struct{ Text }

// NewDate returns an empty field.
func NewDate(hint string) Date { return Date{NewText(hint, 20)} }

// Day returns the day, or the zero date for an empty field. Other text returns civil.ErrDue or
// civil.ErrNumbers.
func (d *Date) Day(today civil.Date) (civil.Date, error) { return civil.ParseDue(d.Value(), today) }

// Settle replaces a relative date such as net 30 by its day, which stays the same tomorrow. It
// leaves text that is not a date.
func (d *Date) Settle(today civil.Date) { d.settle(proposal.DueText(d.Value(), today)) }

// settle replaces the text unless it is already the same.
func (t *Text) settle(text string) {
	if text != t.Value() {
		t.Set(text)
	}
}
