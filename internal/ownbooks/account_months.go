package ownbooks

import (
	"fmt"
	"strconv"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// AccountMonth has what an account's booked lines of a month come to, in minor units of the
// account's currency.
type AccountMonth struct {
	Period             // days of the month up to the newest covered one of the account
	CoveredDays int    `json:"covered_days"` // days that statements cover
	Lines       int    `json:"lines"`
	InMinor     *int64 `json:"in_minor"` // not negative; nil if the sum does not fit
	OutMinor    *int64 `json:"out_minor"`
	// ClosingMinor is the balance at the end of the last day; nil if no statement proves it.
	ClosingMinor *int64 `json:"closing_minor"`
}

// AccountMonthColumns are the titles of Cells.
var AccountMonthColumns = [...]string{"Days", "Lines", "In", "Out", "Closing"}

// Cells returns what the month comes to, with a dash for each unknown. The function amount returns
// minor units of a currency as text.
func (m *AccountMonth) Cells(currency string, amount func(minor int64, currency string) string) [5]string {
	text := func(minor *int64) string {
		if minor == nil {
			return money.Dash
		}
		return amount(*minor, currency)
	}
	days := strconv.Itoa(m.CoveredDays)
	if all := m.Days(); m.CoveredDays < all {
		days = fmt.Sprintf("%d of %d", m.CoveredDays, all)
	}
	return [...]string{days, money.Count(int64(m.Lines)), text(m.InMinor), text(m.OutMinor), text(m.ClosingMinor)}
}

// Fact describes the month in a line.
func (m *AccountMonth) Fact(currency string, amount func(minor int64, currency string) string) Fact {
	cells := m.Cells(currency, amount)
	f := Fact{Label: m.First.Time().Format("January 2006")}
	f.Text = fmt.Sprintf("%s days covered, %s, in %s, out %s, closing %s", cells[0],
		plural.Count(m.Lines, "line"), cells[2], cells[3], cells[4])
	if m.CoveredDays < m.Days() {
		f.Level = Caution
	}
	return f
}
