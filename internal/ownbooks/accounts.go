package ownbooks

import (
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// BankFile is a file that may be imported.
type BankFile struct{ Path, Name, Format string } // Format is what people call such files

// Contents are the accounts and imports of the books, the oldest first.
type Contents struct {
	Accounts  []Account
	Imports   []Import
	Questions int    // number of open questions about the lines
	Currency  string // in which the books report; "" if that is not known
	// Formats are what people call the files that can be imported, such as "OFX".
	Formats []string
}

// Account is a bank account in the books. Amounts are in minor units of its currency.
type Account struct {
	Number   string     `json:"account"` // "…" and the last four characters, or the whole name
	Bank     string     `json:"bank"`
	Name     string     `json:"name"`
	Renamed  bool       `json:"-"` // true if the user gave the name
	Currency string     `json:"currency"`
	Role     string     `json:"role"`          // "operating", "savings", "card", "closed" or "excluded"
	Balance  *int64     `json:"balance_minor"` // nil if no file gives a balance
	AsOf     civil.Date `json:"as_of"`         // day of the balance
	Covered  []Period   `json:"covered"`       // days that statements cover, in order
	// AssumedTo is a day after the last covered one up to which the lines are known by weaker
	// evidence; nil if there is none. Closed is true if no later statement is expected.
	AssumedTo *AssumedTo `json:"assumed_to"`
	Closed    bool       `json:"closed"`
	Lines     int        `json:"lines"`
	// ResidualMinor is the amount missing between two balances; 0 if the lines add up. Only periods
	// that statements cover completely are checked.
	ResidualMinor int64 `json:"residual_minor"`
	Contradiction bool  `json:"contradiction"` // true if the lines do not add up to the balances
	PendingMinor  int64 `json:"pending_minor"` // total of the current pending lines
	// Proven lists the periods whose lines add up between two balances.
	Proven []Period `json:"proven"`
	// Differences lists the periods whose lines do not add up, although statements cover all days.
	Differences []Difference `json:"differences"`
	// Months lists the months from the first covered day to the last, the newest first.
	Months []AccountMonth `json:"months"`
}

// AssumedTo is a last known day, and the evidence for it, such as "quiet" (docs/api.md, Facts).
type AssumedTo struct {
	Day    civil.Date `json:"day"`
	Source string     `json:"source"`
}

// Period is a range of days, both included.
type Period struct {
	First civil.Date `json:"first"`
	Last  civil.Date `json:"last"`
}

// String returns the period as "2026-09-01 to 2026-09-30", or as one date.
func (p Period) String() string {
	if p.First == p.Last {
		return p.First.String()
	}
	return p.First.String() + " to " + p.Last.String()
}

// Days returns the number of days in the period.
func (p Period) Days() int { return p.Last.DaysSince(p.First) + 1 }

// Difference is a period between two balances whose lines do not add up to the difference of the
// balances. Amounts are in minor units.
type Difference struct {
	Period
	FromMinor     int64 `json:"from_minor"` // balance at the first day
	ToMinor       int64 `json:"to_minor"`   // balance at the last day
	ResidualMinor int64 `json:"residual_minor"`
}

// Label returns the name that the user gave the account, or else its bank, and its number.
func (a *Account) Label() string { return labelOf(a.Title(), a.Number) }

// labelOf returns a title and the number of an account, which may begin with the title.
func labelOf(title, number string) string {
	if rest, found := strings.CutPrefix(number, title); found && (rest == "" || rest[0] == ' ') {
		return number
	}
	return strings.TrimSpace(title + " " + number)
}

// Title returns the name that the user gave the account, or else its bank.
func (a *Account) Title() string {
	if a.Renamed {
		return a.Name
	}
	return a.Bank
}

// Proof says in a few words whether the account's lines add up to its balances.
func (a *Account) Proof() string {
	switch {
	case a.Balance == nil:
		return "no balance known"
	case a.Contradiction:
		return "lacks " + money.Format(a.ResidualMinor, a.Currency)
	case len(a.Proven) == 0:
		return "needs a second balance"
	}
	return "yes"
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

// Outdated reports whether a newer statement of the account should exist.
func (a *Account) Outdated(today civil.Date) bool {
	days, known := a.Age(today)
	return known && days >= outdatedDays && a.NeedsStatements()
}

// NeedsStatements reports whether the account counts in cash. Closed and excluded accounts do not.
func (a *Account) NeedsStatements() bool { return a.Role != "closed" && a.Role != "excluded" }

// Import is a set of files that were imported together.
type Import struct {
	ID    string         `json:"import"`
	At    time.Time      `json:"imported_at"`
	Files []ImportedFile `json:"files"`
	New   int            `json:"new"` // number of booked lines that no earlier import has
}

// ImportedFile is a file of an import.
type ImportedFile struct {
	Name   string `json:"file"` // without its directory
	Format string `json:"format"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

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
	Import   string   `json:"import"`
	Files    []string `json:"files"`    // names of files that no other import has
	Lines    int      `json:"lines"`    // number of booked lines that the books no longer have
	Accounts []string `json:"accounts"` // accounts that no other import has
	// PaidInvoices has the numbers of own invoices that stay paid, although their payment goes.
	PaidInvoices []string `json:"paid_invoices"`
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
func (c *Contents) EmptyText(command string) string {
	return "The books are empty. " + command + " imports your files: " + plural.List(c.Formats, "and") + "."
}

// CurrencyChange is a change of the currency in which the books report.
type CurrencyChange struct {
	Before, Currency string
	Changes          bool   // false if the books report so already
	Rates            string // how many transactions have a rate: a sentence, or "" without transactions
	Undo             string // what takes the change back: a code, or auto
}
