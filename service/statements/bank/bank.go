// Package bank defines what files of banks and accounting programs contain: account statements with
// lines and balances, open invoices, and exchange rates.
//
// Readers of file formats, such as service/statements/ofx, parse files into these values. They are
// pure functions of a file's content: no clock, no database, no network. Amounts are in minor units
// of their ISO 4217 currency, positive for money in and negative for money out. Dates are calendar
// dates as the bank wrote them and are not converted between time zones.
package bank

import (
	"tarmac/internal/civil"
)

// Kind is the kind of a bank account.
type Kind uint8

// Kinds of accounts. KindUnknown means that the file does not say which.
const (
	KindUnknown Kind = iota
	KindChecking
	KindSavings
	KindCard
	KindInvestment // only cash transactions of such accounts are read
)

// Account identifies a bank account. Fields that the file does not give are "".
type Account struct {
	Number string // bank's account number or IBAN, or the account's name in a journal
	Bank   string // bank's name, routing number or BIC
	Name   string // name that the holder or the bank gave the account
	Kind   Kind
}

// Balance is the booked balance of an account at the end of a day.
type Balance struct {
	Minor int64
	Date  civil.Date // zero if the file gives no date
}

// Statement describes an account over a period, without the lines of the statement. A file may have
// several statements of one account, for example one for each page or day.
type Statement struct {
	Account  Account
	Currency string // ISO 4217 code; "" if neither the file nor Options.Currency gives one
	// First and Last are the first and the last day of the statement's period. They are zero if the
	// file does not give them.
	First, Last civil.Date
	Opening     *Balance // nil if the file has no opening balance or an empty one
	Closing     *Balance // nil if the file has no closing balance
	// Broken says where the running balances of the file do not follow from its amounts, although
	// most do: a line is missing, there twice or changed. It is "" if they follow or there are
	// none.
	Broken string
	// Making identifies the kind of export that wrote the file: a short hash, for example of the
	// CSV header. It is "" for formats that all banks write alike.
	Making string
}

// Line is one line of a statement, usually a transaction. Its amount may be 0.
type Line struct {
	Place   int        // number of the line or record in the file, from 1, for error messages
	Booked  civil.Date // booking date
	Value   civil.Date // value date; zero if the file has none
	Minor   int64
	Pending bool // true if the line is not booked yet; such lines are in no balance
	// ID is the bank's id of the line, or "". It is not reliable: banks repeat ids, restart them
	// with each file, and issue new ones when an account is linked again.
	ID           string
	Counterparty string // name of the other party
	OtherAccount string // account number of the other party
	Description  string // text of the line that is in no other field
	Reference    string // payment reference, such as a check number or an end-to-end id
	Method       string // kind of payment as the bank names it, such as "ACH" or "POS"
	// Transfer is true if the bank's code says that the line is a transfer between own accounts.
	Transfer bool
	Original *Original // amount in another currency; nil if the file gives none
	Running  *int64    // account balance after this line; nil if the file gives none
	Raw      string    // line as it is in the file, at most MaxRaw bytes
}

// MaxRaw is the largest length of Line.Raw in bytes.
const MaxRaw = 16 << 10

// Original is the amount of a line in the currency in which the payment was made.
type Original struct {
	Currency string
	Minor    int64
	Rate     string // exchange rate as a decimal, as the file has it; "" if it has none
}

// Side says whether customers owe open invoices to the organization, or the organization owes them
// to vendors.
type Side uint8

// The sides of open invoices.
const (
	Receivable Side = iota // invoices to customers
	Payable                // bills of vendors
)

// OpenItems describes a list of open invoices or bills, without them: where it comes from and for
// which day it holds.
type OpenItems struct {
	Side Side
	// Source is the accounting program, such as "quickbooks", "xero" or "stripe"; "" if unknown.
	Source string
	AsOf   civil.Date // zero if the file gives no day
}

// OpenItem is an open invoice, or a bill to pay. If Minor is negative, it is an open credit of a
// customer or a vendor.
type OpenItem struct {
	Place    int
	Number   string
	Party    string     // customer, or vendor of a bill
	Issued   civil.Date // issue date; zero if unknown
	Due      civil.Date // due date; zero if unknown
	Currency string
	Minor    int64 // unpaid amount
}

// Rate is an exchange rate on a day: one unit of Currency is worth Numerator/Denominator US
// dollars. Both are positive integers, so conversions are exact.
type Rate struct {
	Place       int
	Date        civil.Date
	Currency    string
	Numerator   int64
	Denominator int64
}

// Sink receives what a reader finds in a file, in the order of the file. If a method returns an
// error, the reader stops and returns that error.
type Sink interface {
	// Statement receives a statement before its lines. The reader may still fill fields of s, such
	// as the closing balance, until it has read the whole file.
	Statement(s *Statement) error
	// Line receives a line of a statement that was passed to Statement before.
	Line(s *Statement, l Line) error
	// OpenList receives a list of open invoices before its invoices. Only readers that pass lists
	// without invoices must call it.
	OpenList(list *OpenItems) error
	// OpenItem receives an open invoice of a list. The reader may still fill fields of list until
	// it has read the whole file.
	OpenItem(list *OpenItems, item OpenItem) error
	// Rate receives an exchange rate.
	Rate(r Rate) error
	// Problem receives a warning for the user who imports the file, such as "the investments of
	// account …6789 are not read, only its cash". The parameter place is the number of the line or
	// record in the file.
	Problem(place int, text string)
}
