// Package bookexport writes an organization's books as a journal for hledger and ledger, as one for
// beancount, or as CSV. Texts of banks cannot change the meaning of what is written: they are
// written so that no program takes them for syntax, and no spreadsheet for a formula.
//
// A Writer writes each record when its method is called, and does not read a clock or a file.
package bookexport

import (
	"fmt"
	"io"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// Format is a format of exported books.
type Format string

// The formats. Ledger reads journals of hledger too.
const (
	Hledger   Format = "hledger"
	Beancount Format = "beancount"
	CSV       Format = "csv"
)

// Formats lists all formats.
var Formats = [...]Format{Hledger, Beancount, CSV}

// Writer writes books. Its methods are called in this order: Begin, Rate for all rates, then the
// others in order of time, and End. Balance is called after all transactions of its day.
type Writer interface {
	Begin(Header) error
	Rate(bank.Rate) error
	Transaction(*Transaction) error
	// Balance writes that the balance of an account at the end of a day is known.
	Balance(date civil.Date, account *Account, minor int64) error
	End() error
}

// New returns a writer of the format. The caller flushes out.
func New(format Format, out io.Writer) (Writer, error) {
	switch format {
	case Hledger:
		return newHledger(out), nil
	case Beancount:
		return newBeancount(out), nil
	case CSV:
		return newCSV(out), nil
	}
	return nil, fmt.Errorf("%q is no format of exported books", string(format))
}

// Header describes the books.
type Header struct {
	Organization string
	Accounts     []*Account
}

// Account is an account of the organization.
type Account struct {
	Name     Name
	Number   string
	Bank     string
	Currency string
	Opened   civil.Date // day of the first entry
	// BalanceKnown is false if no statement has a balance, so that the account's balance in the
	// journal is only the sum of its lines.
	BalanceKnown bool
}

// Kind says why a transaction is in the books.
type Kind string

// The kinds of transactions.
const (
	Opening    Kind = "opening balance"
	Payment    Kind = "transaction"
	Transfer   Kind = "transfer"   // a transfer between own accounts, or one side of it
	Difference Kind = "difference" // the amount that lines lack between two balances
)

// Transaction is a transaction whose postings add up to zero, at their costs.
type Transaction struct {
	Date civil.Date
	Kind Kind
	// ID is the public id of the ledger's transaction. If there is none, it is the id of the
	// statement's line, or "" for an opening balance or a balancing difference.
	ID string
	// OtherID is the id of the line on the other account of a transfer; "" if it is not known.
	OtherID     string
	Payee       string
	Description string
	Reference   string
	Category    string
	Note        string // what a person has written about it
	Postings    []Posting
}

// text returns the description unless it only repeats the payee.
func (t *Transaction) text() string {
	if oneLine(t.Description) == oneLine(t.Payee) {
		return ""
	}
	return t.Description
}

// Posting is an amount on an account. Exactly one of Own and Other is set.
type Posting struct {
	Own      *Account
	Other    *Name
	Minor    int64
	Currency string
	Cost     *TotalCost // total cost in another currency; nil if there is none
}

// name returns the name of the posting's account.
func (p *Posting) name() Name {
	if p.Own != nil {
		return p.Own.Name
	}
	return *p.Other
}

// TotalCost is what the whole amount of a posting cost, in another currency and without a sign.
type TotalCost struct {
	Minor    int64
	Currency string
}
