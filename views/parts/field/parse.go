package field

import (
	"tarmac/client/proposal"
	"tarmac/internal/civil"
)

// Money is a field for US dollars as people type them: 1200, $1,200.50, 1.5k.
type Money struct{ Text }

// NewMoney returns an empty field that shows hint until something is typed.
func NewMoney(hint string) Money { return Money{NewText(hint, 30)} }

// Normalize rewrites the amount in full, for example 1.5k as 1,500.00. It leaves text that is no
// amount unchanged.
func (m *Money) Normalize() { m.replace(proposal.PriceText(m.Value())) }

// Quantity is a field for a decimal quantity as people type it: 1, 1.5, 12.5 hours.
type Quantity struct{ Text }

// NewQuantity returns an empty field that shows hint until something is typed.
func NewQuantity(hint string) Quantity { return Quantity{NewText(hint, 16)} }

// Normalize rewrites the quantity as a plain number, for example "12.5 hours" as "12.5". It leaves
// text that is no quantity unchanged.
func (q *Quantity) Normalize() { q.replace(proposal.QuantityText(q.Value())) }

// Date is a field for a day, absolute such as 2026-12-31 or relative to today such as "net 30".
type Date struct{ Text }

// NewDate returns an empty field that shows hint until something is typed.
func NewDate(hint string) Date { return Date{NewText(hint, 20)} }

// Day returns the date, or the zero date if the field is empty. A possible error is civil.ErrDue or
// civil.ErrNumbers.
func (d *Date) Day(today civil.Date) (civil.Date, error) { return civil.ParseDue(d.Value(), today) }

// Normalize rewrites a date in the form 2026-12-31, because "net 30" would mean another day
// tomorrow. It leaves text that is no date unchanged.
func (d *Date) Normalize(today civil.Date) { d.replace(proposal.DueText(d.Value(), today)) }

// replace sets the text. If the text is already the same, the cursor does not move.
func (t *Text) replace(text string) {
	if text != t.Value() {
		t.Set(text)
	}
}
