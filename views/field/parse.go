package field

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Money is an amount of US dollars as people type it: 1200, 1,200.50, $1,200.50.
type Money struct{ Text }

// NewMoney returns an empty field.
func NewMoney(hint string) Money { return Money{NewText(hint, 30)} }

// Cents returns the amount in cents, or an error that says what an amount is.
func (m *Money) Cents() (int64, error) { return ParseMoney(m.Value()) }

// ParseMoney reads US dollars into cents. Beside what money.Parse reads it takes
// blanks around the amount and a dollar sign before it.
func ParseMoney(text string) (cents int64, err error) {
	text = strings.TrimSpace(text)
	if bare, signed := strings.CutPrefix(text, "$"); signed {
		text = strings.TrimSpace(bare)
	}
	return money.Parse(text, "USD")
}

// Quantity is how much of something, a decimal: 1, 1.5, 0.25.
type Quantity struct{ Text }

// NewQuantity returns an empty field.
func NewQuantity(hint string) Quantity { return Quantity{NewText(hint, 16)} }

// Quantity returns what was typed, blanks around it left out, or
// apiclient.ErrQuantity.
func (q *Quantity) Quantity() (apiclient.Quantity, error) {
	return apiclient.ParseQuantity(strings.TrimSpace(q.Value()))
}

// Date is a day: 2026-12-31, or so many days from today: net 30.
type Date struct{ Text }

// NewDate returns an empty field.
func NewDate(hint string) Date { return Date{NewText(hint, 20)} }

// Day returns the day; the zero date when nothing was typed.
func (d *Date) Day(today civil.Date) (civil.Date, error) { return ParseDate(d.Value(), today) }

// Settle writes the day that net 30 means into the field, so that it stays the same
// tomorrow. Text that is no day stays.
func (d *Date) Settle(today civil.Date) {
	if day, err := d.Day(today); err == nil {
		d.Set(day.String())
	}
}

// ErrDate is returned for text that is no day.
var ErrDate = civil.ErrDue

// ParseDate is civil.ParseDue.
func ParseDate(text string, today civil.Date) (civil.Date, error) { return civil.ParseDue(text, today) }
