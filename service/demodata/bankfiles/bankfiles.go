// Package bankfiles writes the files that banks and accounting programs offer for download:
// OFX, CAMT.053, MT940, CSV, lists of open invoices and exchange rates.
//
// Writers are pure functions from values to an io.Writer, and the opposite of the readers in
// service/statements, whose values they take. They write the files of the sample company.
package bankfiles

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// Statement is a statement with all its lines in the order of booking. Pending lines are last.
// Writers of formats with balances need both of its balances.
type Statement struct {
	bank.Statement
	Lines []bank.Line
}

// Institution is the bank that offers a file.
type Institution struct {
	Name    string
	Routing string // routing number of US banks
}

// plain returns an amount in whole units without separators of thousands: "-1234.56".
func plain(minor int64, currency string) string {
	return strings.ReplaceAll(money.Format(minor, currency), ",", "")
}

// compact returns a date without separators: "20260930".
func compact(d civil.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

// american returns a date as month, day and year: "09/30/2026".
func american(d civil.Date) string { return d.Time().Format("01/02/2006") }

// text returns what a line says besides amount and date, in one field.
func text(l bank.Line) string {
	return strings.Join(strings.Fields(l.Counterparty+" "+l.Description), " ")
}

// valueDate returns the value date of a line, which is the booking date unless it has another.
func valueDate(l bank.Line) civil.Date {
	if l.Value.IsZero() {
		return l.Booked
	}
	return l.Value
}
