// Package bookkeeping imports files of banks and accounting programs, and readings of connections
// to providers, into an organization's own books, and undoes imports. After each change, it updates
// the ledger, the balance and the receivables that the API returns (docs/import.md).
//
// The content of files and readings is stored as it was read. Package books derives everything else
// from it, again after each change. So the order of imports makes no difference, and nothing
// remains of an import that was undone.
package bookkeeping

import (
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// Report describes the content of the files and what importing them changes. Its JSON is the output
// of "tarmac import --json". Amounts are in minor units of each account's currency.
type Report struct {
	// Import is the public id of the import; nil if nothing was imported.
	Import *string      `json:"import"`
	Files  []FileReport `json:"files"`
	// PaidInvoices lists the numbers of the organization's own invoices that payments of this
	// import have paid.
	PaidInvoices []string `json:"paid_invoices,omitempty"`
	// Feed says what a reading of a connection changed; nil for files.
	Feed *FeedReport `json:"feed,omitempty"`
	// Questions are the open questions about lines of these files. FileReport.Problems mentions
	// each of them.
	Questions []Question `json:"-"`
	// Currencies are those of the books if this import is the first, nobody has said in which of
	// them the books report, and there are several. The first has most lines.
	Currencies []bookrules.CurrencyLines `json:"-"`
	// UnknownBalances lists the accounts in the files whose balance is not known.
	UnknownBalances []UnknownBalance `json:"-"`
}

// clone returns a report that does not change with r.
func (r *Report) clone() *Report {
	c := *r
	c.Files, c.Questions = slices.Clone(r.Files), slices.Clone(r.Questions)
	if r.Feed != nil {
		feed := *r.Feed
		feed.Accounts, feed.Residuals = slices.Clone(feed.Accounts), slices.Clone(feed.Residuals)
		c.Feed = &feed
	}
	for n := range c.Files {
		f := &c.Files[n]
		f.Statements, f.Problems = slices.Clone(f.Statements), slices.Clone(f.Problems)
	}
	return &c
}

// FileReport describes one file of an import.
type FileReport struct {
	File       string            `json:"file"`
	Format     string            `json:"format,omitempty"` // "" if the format was not recognized
	Statements []StatementReport `json:"statements"`
	OpenItems  int               `json:"open_invoices,omitempty"`  // number of open invoices
	Bills      int               `json:"bills,omitempty"`          // number of bills to pay and credits of vendors
	Rates      int               `json:"exchange_rates,omitempty"` // number of exchange rates
	// Problems are warnings for the user. They do not stop the import.
	Problems []string `json:"problems"`
	// Error says why the file cannot be imported. It is "" if the file can be imported.
	Error string `json:"error,omitempty"`
	// Question is what the user must decide about an ambiguous file. It is nil if there is nothing
	// to decide. The field Error states the question as a sentence.
	Question *bank.Question `json:"-"`
}

// StatementReport describes the statements of one account in a file.
type StatementReport struct {
	// Account is "…" and the last four characters of the number, or the whole name.
	Account  string  `json:"account"`
	Bank     string  `json:"bank"`
	Currency *string `json:"currency"` // nil if unknown
	// FirstDate is the date of the first booked line. It is nil if there is none.
	FirstDate    *string `json:"first_date"`
	LastDate     *string `json:"last_date"`
	OpeningMinor *int64  `json:"opening_minor"` // nil if unknown
	ClosingMinor *int64  `json:"closing_minor"` // nil if unknown
	Transactions int     `json:"transactions"`  // number of booked lines
	InflowMinor  int64   `json:"inflow_minor"`
	OutflowMinor int64   `json:"outflow_minor"`
	Pending      int     `json:"pending"` // number of lines that are not booked yet
	// New is the number of booked lines that the books did not have before.
	New   int `json:"new"`
	Known int `json:"known"` // number of booked lines that the books had before
	// Changed is the number of known lines whose text now comes from this file.
	Changed int `json:"changed"`
	// Transfers is the number of booked lines that are sides of transfers between own accounts. It
	// is 0 for files that an earlier import had, unless this import changes the books.
	Transfers int `json:"transfers"`
	// ResidualMinor is the amount missing between the account's balances. It is 0 if the lines
	// add up.
	ResidualMinor int64 `json:"residual_minor"`
	// Contradiction is true if the account's lines do not add up to its balances. The import is
	// then refused without Options.AcceptResidual.
	Contradiction bool `json:"-"`

	account int64 // key of the account
}

// newLines returns the number of lines that the books did not have before.
func (r *Report) newLines() (n int) {
	for _, f := range r.Files {
		for _, s := range f.Statements {
			n += s.New
		}
	}
	return n
}

// Failed reports whether a file could not be imported. In that case nothing was imported.
func (r *Report) Failed() bool {
	for _, f := range r.Files {
		if f.Error != "" {
			return true
		}
	}
	return false
}

// text returns a pointer to s; nil if s is "".
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// dateText returns a date as YYYY-MM-DD; nil for the zero date.
func dateText(d civil.Date) *string { return text(d.String()) }
