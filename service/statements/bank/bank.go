// Package bank describes what files of banks and accounting programs contain: statements of
// accounts with their lines and balances, open invoices, and exchange rates.
//
// Readers of file formats (service/statements/ofx and its siblings) turn files into these
// values. They are pure functions of a file's content: no clock, no database, no network.
// Amounts are in minor units of their ISO 4217 currency, positive for money in and negative
// for money out. Dates are calendar dates as the bank wrote them, without a shift of zones.
package bank

import (
	"tarmac/internal/civil"
)

// Kind is the kind of an account.
type Kind uint8

// Kinds of accounts. KindUnknown means that the file does not say.
const (
	KindUnknown Kind = iota
	KindChecking
	KindSavings
	KindCard
	KindInvestment // only its cash lines are read
)

// Account identifies an account as far as a file does. Empty fields are not in the file.
type Account struct {
	Number string // the bank's number or IBAN, or an account's name in a journal
	Bank   string // name, routing number or BIC of the bank
	Name   string // the account holder's or the bank's name for the account
	Kind   Kind
}

// Balance is the booked balance of an account at the end of a day.
type Balance struct {
	Minor int64
	Date  civil.Date // zero if the file gives no date
}

// Statement describes one account over a period, without its lines. Files of several pages or
// days may have several statements of one account.
type Statement struct {
	Account  Account
	Currency string // ISO 4217 code; "" if neither the file nor Options.Currency says
	// First and Last are the period that the file says the statement covers. They are zero if
	// it does not say.
	First, Last civil.Date
	Opening     *Balance // nil if unknown, also where the file has an empty balance
	Closing     *Balance // nil if unknown
}

// Line is one line of a statement. A line of amount 0 is a line too.
type Line struct {
	Place   int        // number of the line or record in the file, from 1, for messages
	Booked  civil.Date // booking date
	Value   civil.Date // value date; zero if the file has none
	Minor   int64
	Pending bool // not booked yet: counted apart, never part of a balance
	// ID is the bank's id of the line, or "". Banks repeat ids, restart them with each file and
	// issue new ones when an account is linked again.
	ID           string
	Counterparty string // name of the other party
	OtherAccount string // account number of the other party
	Description  string // remaining text
	Reference    string // reference of the payment, such as a check or end-to-end number
	Method       string // kind of payment as the bank calls it, such as "ACH" or "POS"
	// Transfer means that the bank's code calls the line a transfer between own accounts.
	Transfer bool
	Original *Original // amount in another currency, if the file has one
	Running  *int64    // balance of the account after this line, if the file has one
	Raw      string    // the line as the file has it, at most MaxRaw bytes
}

// MaxRaw bounds Line.Raw.
const MaxRaw = 16 << 10

// Original is the amount of a line in the currency it was paid in.
type Original struct {
	Currency string
	Minor    int64
	Rate     string // exact decimal as the file has it, or ""
}

// OpenItems describes a list of open invoices of one source at one day.
type OpenItems struct {
	Source string     // accounting program, such as "quickbooks", "xero" or "stripe"; "" if unknown
	AsOf   civil.Date // zero if the file does not say
}

// OpenItem is an open invoice, or an open credit of a customer if Minor is negative.
type OpenItem struct {
	Place    int
	Number   string
	Customer string
	Issued   civil.Date // zero if unknown
	Due      civil.Date // zero if unknown
	Currency string
	Minor    int64 // amount still due
}

// Rate is an exchange rate of a day: one unit of Currency is worth Numerator/Denominator US
// dollars. Both are positive, so that conversions are exact.
type Rate struct {
	Place       int
	Date        civil.Date
	Currency    string
	Numerator   int64
	Denominator int64
}

// Sink receives what a reader finds, in the order of the file. Readers stop at the first error
// of a sink and return it.
type Sink interface {
	// Statement announces a statement, before its lines. The reader may complete s until Read
	// returns.
	Statement(s *Statement) error
	// Line receives a line of an announced statement.
	Line(s *Statement, l Line) error
	// OpenItem receives an open invoice. The reader may complete list until Read returns.
	OpenItem(list *OpenItems, item OpenItem) error
	// Rate receives an exchange rate.
	Rate(r Rate) error
	// Problem receives a remark that a person must see though the file can be read, such as
	// "the investments of account …6789 are not read, only its cash".
	Problem(place int, text string)
}
