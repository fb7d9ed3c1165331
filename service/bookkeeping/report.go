// Package bookkeeping imports files of banks and accounting programs into an organization's own
// books, undoes imports, and keeps the ledger, the balance and the receivables of the API in
// step with them (docs/import.md).
//
// What files say is stored as it was read. All else is derived from it by package books, anew
// after each change, so that the order of imports makes no difference and an undone import
// leaves nothing.
package bookkeeping

import (
	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// Report says what files contain and what importing them changes. Its JSON is the output of
// "tarmac import --json". Amounts are in minor units of each account's currency.
type Report struct {
	// Import is the public id of the import, nil if nothing was imported.
	Import *string      `json:"import"`
	Files  []FileReport `json:"files"`
}

// FileReport describes one file.
type FileReport struct {
	File       string            `json:"file"`
	Format     string            `json:"format,omitempty"` // "" for a file that is no statement
	Statements []StatementReport `json:"statements"`
	// Problems are remarks that a person must see though the file can be imported.
	Problems []string `json:"problems"`
	// Error says why the file cannot be imported, "" if it can.
	Error string `json:"error,omitempty"`
	// Question is the error of a file that a person must decide about, else nil.
	Question *bank.Question `json:"-"`
}

// StatementReport describes the statements of one account in a file.
type StatementReport struct {
	Account       string  `json:"account"` // last four characters of a number, or the whole name
	Bank          string  `json:"bank"`
	Currency      *string `json:"currency"`   // nil if unknown
	FirstDate     *string `json:"first_date"` // of the booked lines; nil if there are none
	LastDate      *string `json:"last_date"`
	OpeningMinor  *int64  `json:"opening_minor"` // nil if unknown
	ClosingMinor  *int64  `json:"closing_minor"` // nil if unknown
	Transactions  int     `json:"transactions"`  // booked lines
	InflowMinor   int64   `json:"inflow_minor"`
	OutflowMinor  int64   `json:"outflow_minor"`
	Pending       int     `json:"pending"` // lines that are not booked yet
	New           int     `json:"new"`     // booked lines that the books did not have
	Known         int     `json:"known"`   // booked lines that they had
	Changed       int     `json:"changed"` // known lines with another day or text than before
	Transfers     int     `json:"transfers"`
	ResidualMinor int64   `json:"residual_minor"` // what the account's lines lack between its balances
}

// Failed reports whether a file could not be read, so that nothing was imported.
func (r *Report) Failed() bool {
	for _, f := range r.Files {
		if f.Error != "" {
			return true
		}
	}
	return false
}

// text returns a pointer to a text, nil for "".
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// dateText returns a date as the report has it, nil for the zero date.
func dateText(d civil.Date) *string { return text(d.String()) }
