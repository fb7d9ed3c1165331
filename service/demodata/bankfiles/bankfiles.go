// Package bankfiles writes files in the formats that banks and accounting programs offer for
// download: OFX, CAMT.053, MT940, CSV, lists of open invoices and exchange rates. It writes the
// files of the sample company.
//
// Its functions are pure: they write the given values to an io.Writer. They are the opposite of the
// readers in service/statements and use the same types.
package bankfiles

import (
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// Statement is an account statement with its lines, in the order of booking. Pending lines are
// last. For formats that have balances, both Opening and Closing must be set.
type Statement struct {
	bank.Statement
	Lines []bank.Line
}

// Institution is the bank that a file comes from.
type Institution struct {
	Name    string
	Routing string // routing number; US banks only
}

// plain returns an amount as a decimal without thousands separators, such as "-1234.56".
func plain(minor int64, currency string) string {
	return strings.ReplaceAll(money.Format(minor, currency), ",", "")
}

// compact returns a date without separators, such as "20260930".
func compact(d civil.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

// american returns a date in the US order, such as "09/30/2026".
func american(d civil.Date) string { return d.Time().Format("01/02/2006") }

// text returns the counterparty and the description of a line as one text.
func text(l bank.Line) string {
	return strings.Join(strings.Fields(l.Counterparty+" "+l.Description), " ")
}

// valueDate returns the value date of a line. If the line has none, it returns the booking date.
func valueDate(l bank.Line) civil.Date {
	if l.Value.IsZero() {
		return l.Booked
	}
	return l.Value
}
