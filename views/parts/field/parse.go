package field

import (
	"tarmac/client/proposal"
	"tarmac/internal/civil"
)

// Money is an amount of US dollars as people type it: 1200, $1,200.50, 1.5k.
type Money struct{ Text }

// NewMoney returns an empty field.
func NewMoney(hint string) Money { return Money{NewText(hint, 30)} }

// Settle writes the amount as it is understood: 1,500.00 for 1.5k.
func (m *Money) Settle() { m.settle(proposal.PriceText(m.Value())) }

// Quantity is how much of something, a decimal: 1, 1.5, 12.5 hours.
type Quantity struct{ Text }

// NewQuantity returns an empty field.
func NewQuantity(hint string) Quantity { return Quantity{NewText(hint, 16)} }

// Settle writes the quantity as it is understood: 12.5 for 12.5 hours.
func (q *Quantity) Settle() { q.settle(proposal.QuantityText(q.Value())) }

// Date is a day: 2026-12-31, or so many days from today: net 30.
type Date struct{ Text }

// NewDate returns an empty field.
func NewDate(hint string) Date { return Date{NewText(hint, 20)} }

// Day returns the day; the zero date when nothing was typed. Other text is
// civil.ErrDue or civil.ErrNumbers.
func (d *Date) Day(today civil.Date) (civil.Date, error) { return civil.ParseDue(d.Value(), today) }

// Settle writes the day that net 30 means into the field, so that it stays the same
// tomorrow. Text that is no day stays.
func (d *Date) Settle(today civil.Date) { d.settle(proposal.DueText(d.Value(), today)) }

// settle replaces what was typed, unless it says the same already.
func (t *Text) settle(text string) {
	if text != t.Value() {
		t.Set(text)
	}
}
