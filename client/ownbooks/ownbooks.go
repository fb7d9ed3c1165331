// Package ownbooks lets the front ends show and change a company's own books: accounts, imports,
// and the steps from file names to an import. The books themselves belong to the service; the
// program passes them to the front ends as the interface Books.
package ownbooks

import (
	"context"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Books reads and changes own books. Its methods may take minutes, and stop when ctx is canceled.
// All texts in their results are safe to print: each is one line without control characters.
type Books interface {
	List(ctx context.Context) (Contents, error)
	// Preview returns what importing the files would change, but changes nothing.
	Preview(ctx context.Context, batch Batch, progress *Progress) (Report, error)
	// Import imports all files or none. If Report.Failed is true, nothing was imported.
	Import(ctx context.Context, batch Batch, progress *Progress) (Report, error)
	// PreviewUndo returns what Undo would return, but changes nothing.
	PreviewUndo(ctx context.Context, id string) (Undone, error)
	Undo(ctx context.Context, id string) (Undone, error)
	// BankFiles returns those of the newest files in a directory that seem to come from a bank or
	// an accounting program, the newest first. It reads only their beginnings.
	BankFiles(ctx context.Context, directory string) ([]BankFile, error)
	// CheckAnswer returns an error for the user if the text does not answer the question. It does
	// not access the books.
	CheckAnswer(q Question, text string) error
	// Questions returns the open questions about the lines, the oldest first.
	Questions(ctx context.Context) ([]OpenQuestion, error)
	// Answer stores the answer to the question with an id. The answer is that of a choice. Other
	// questions may change with it, and new ones may arise.
	Answer(ctx context.Context, id, answer string) (Answered, error)
	// PreviewCurrency returns what SetCurrency would return, but changes nothing. The currency is a
	// code of ISO 4217, or auto for that of the oldest import.
	PreviewCurrency(ctx context.Context, currency string) (CurrencyChange, error)
	SetCurrency(ctx context.Context, currency string) (CurrencyChange, error)
}

// BankFile is a file that may be imported.
type BankFile struct{ Path, Name, Format string }

// Contents are the accounts and imports of the books, the oldest first.
type Contents struct {
	Accounts  []Account
	Imports   []Import
	Questions int    // number of open questions about the lines
	Currency  string // in which the books report; "" if that is not known
}

// Account is a bank account in the books. Amounts are in minor units of its currency.
type Account struct {
	Number        string // "…" and the last four characters, or the whole name
	Bank, Name    string
	Renamed       bool   // true if the user gave the name
	Role          string // "operating", "savings", "card", "closed" or "excluded"
	Currency      string
	Balance       *int64 // nil if unknown
	AsOf          civil.Date
	PendingMinor  int64
	Lines         int
	Covered       []Period // days that statements cover, in order
	Proof         string   // whether the lines add up to the balances, in a few words
	Contradiction bool     // true if the lines do not add up to the balances
	Proven        []Period
	Differences   []Difference
}

// Period is a range of days, both included.
type Period struct{ First, Last civil.Date }

// String returns the period as "2026-09-01 to 2026-09-30", or as one date.
func (p Period) String() string {
	if p.First == p.Last {
		return p.First.String()
	}
	return p.First.String() + " to " + p.Last.String()
}

// Days returns the number of days in the period.
func (p Period) Days() int { return p.Last.DaysSince(p.First) + 1 }

// Difference is a period whose lines do not add up to the difference of the balances at its ends.
type Difference struct {
	Period
	FromMinor, ToMinor, ResidualMinor int64
}

// Label returns the name that the user gave the account, or else its bank, and its number.
func (a *Account) Label() string { return strings.TrimSpace(a.Title() + " " + a.Number) }

// Title returns the name that the user gave the account, or else its bank.
func (a *Account) Title() string {
	if a.Renamed {
		return a.Name
	}
	return a.Bank
}

// BalanceText returns the balance without the currency, or a dash.
func (a *Account) BalanceText() string {
	if a.Balance == nil {
		return money.Dash
	}
	return money.Format(*a.Balance, a.Currency)
}

// Gaps returns the periods between covered periods.
func (a *Account) Gaps() (gaps []Period) {
	for i := 1; i < len(a.Covered); i++ {
		gaps = append(gaps, Period{a.Covered[i-1].Last.AddDays(1), a.Covered[i].First.AddDays(-1)})
	}
	return gaps
}

// CoveredText says which days statements cover and how many gaps there are, or returns a dash.
func (a *Account) CoveredText() string {
	if len(a.Covered) == 0 {
		return money.Dash
	}
	text := Period{a.Covered[0].First, a.Newest()}.String()
	if gaps := len(a.Covered) - 1; gaps > 0 {
		text += " with " + plural.Count(gaps, "gap")
	}
	return text
}

// Newest returns the last covered day, or the zero date if statements cover none.
func (a *Account) Newest() civil.Date {
	if len(a.Covered) == 0 {
		return civil.Date{}
	}
	return a.Covered[len(a.Covered)-1].Last
}

// Age returns how many days ago the newest statement ends. It returns false if statements cover no
// day.
func (a *Account) Age(today civil.Date) (days int, known bool) {
	newest := a.Newest()
	return max(0, today.DaysSince(newest)), !newest.IsZero()
}

// outdatedDays is the age from which a statement is outdated: a month, and some days until the bank
// offers the next statement.
const outdatedDays = 36

// Outdated reports whether a newer statement of the account should exist. Closed and excluded
// accounts need none.
func (a *Account) Outdated(today civil.Date) bool {
	days, known := a.Age(today)
	return known && days >= outdatedDays && a.Role != "closed" && a.Role != "excluded"
}

// Import is a set of files that were imported together.
type Import struct {
	ID    string
	At    time.Time
	Files []ImportedFile
	New   int // number of booked lines that no earlier import has
}

// ImportedFile is a file of an import.
type ImportedFile struct{ Name, Format, SHA256 string }

// FilesText returns the name of the first file and the number of other files.
func (i *Import) FilesText() string {
	if len(i.Files) == 0 {
		return money.Dash
	}
	names := make([]string, len(i.Files))
	for n, f := range i.Files {
		names[n] = f.Name
	}
	return others(names)
}

// Undone describes what undoing an import removes.
type Undone struct {
	Import   string
	Files    []string // names of files that no other import has
	Lines    int
	Accounts []string // accounts that no other import has
	// PaidInvoices has the numbers of own invoices that stay paid, although their payment goes.
	PaidInvoices []string
}

// Means returns sentences about what undoing the import removes.
func (u *Undone) Means() string {
	if u.Lines == 0 && len(u.Files) == 0 {
		return "The books stay as they are: other imports have the same files."
	}
	text := "Removes " + plural.Count(u.Lines, "line") + " of " + plural.Count(len(u.Files), "file")
	switch {
	case u.Lines == 0:
		text = "Removes " + plural.Count(len(u.Files), "file") + "; other imports have all of the lines"
	case len(u.Accounts) > 0:
		text += ", and " + plural.Count(len(u.Accounts), "account") + ": " + strings.Join(u.Accounts, ", ")
	}
	return text + ". What other imports contain stays. The files can be imported again." + u.stayPaid()
}

// Done returns a sentence about what was removed.
func (u *Undone) Done() string {
	removed := plural.Count(u.Lines, "line") + " of " + plural.Count(len(u.Files), "file")
	return "Undone: " + removed + " removed." + u.stayPaid()
}

// stayPaid returns a sentence that names the invoices that stay paid, after a blank. It returns ""
// if there are none.
func (u *Undone) stayPaid() string {
	if len(u.PaidInvoices) == 0 {
		return ""
	}
	return " Stays paid without its payment: " + strings.Join(u.PaidInvoices, ", ") + "."
}

// EmptyText returns a sentence about what to do with empty books. command is the key or command
// that imports files.
func EmptyText(command string) string {
	return "The books are empty. " + command + " imports files of your bank: OFX, QFX, CAMT, MT940, BAI2, QIF or CSV, " +
		"and lists of open invoices and exchange rates."
}
