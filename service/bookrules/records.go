package bookrules

import (
	"time"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Role says what an account is used for. It decides whether the account's balance counts as cash.
type Role string

// The roles of accounts. Balances of closed and excluded accounts do not count as cash. A payment
// to an excluded account counts as money out, never as a transfer between own accounts.
const (
	Operating Role = "operating"
	Savings   Role = "savings"
	Card      Role = "card"
	Closed    Role = "closed"
	Excluded  Role = "excluded"
)

// Account is a bank account in an organization's books.
type Account struct {
	Key          int64
	Organization string // public id
	// Identity names the account in public ids and in the keys of answers. See DescribeAccounts.
	Identity string
	// Number is the fullest account number in the imported files, or the name that the user gave.
	Number   string
	Currency string // ISO 4217
	Bank     string
	Name     string // name that the user gave, or else the name in the first file
	Renamed  bool   // true if the user gave the name
	Role     Role
	OwnFeed  bool // true if its transactions belong to the service's own feed, not to a linked bank
}

// Source returns the feed that the account's transactions belong to.
func (a Account) Source() ledger.Source {
	if a.OwnFeed {
		return ledger.ServiceAccount
	}
	return ledger.LinkedBank
}

// File is an imported file, read with certain options. The same file read with other options is
// another File.
type File struct {
	Key    int64
	Hash   [32]byte // hash of the file's bytes and the options
	SHA256 [32]byte // hash of the file's bytes
	Format string
	Making string // layout of the file; see Content.Making
	Rank   int
	// Connection is the public id of the connection whose readings the file holds; "" for a file
	// that was imported.
	Connection string
	OwnFeed    bool // true if the connection's transactions belong to the service's own feed
}

// Import is a set of files that were imported together.
type Import struct {
	Key   int64
	ID    string // public id, "imp_…"
	At    time.Time
	Files []ImportedFile
	// Reporting is the currency of reports while this is the oldest import, as the user said. If it
	// is "", it is that of most lines.
	Reporting string
}

// Connection returns the public id of the connection whose readings the import holds. It is "" for
// an import of files.
func (i Import) Connection() string {
	if len(i.Files) == 0 {
		return ""
	}
	return i.Files[0].Connection
}

// ImportedFile is a file of an import with its name at the time of the import.
type ImportedFile struct {
	Name string // file name without its directory
	Made Day    // day on which the file was made, at the latest; 0 if unknown
	File
}

// Statement describes a bank statement in an imported file. Its lines are stored separately, as
// Line.
type Statement struct {
	Key, File, Account int64
	Facts              AccountFacts
	Covered            Span
	Period             Period   // what says the covered days
	Opening            *Balance // nil if unknown
	Closing            *Balance // nil if unknown
	Lines              int      // number of booked lines
	InflowMinor        int64
	OutflowMinor       int64
	PendingLines       int
	PendingMinor       int64 // sum of the pending lines; negative for money out
}

// Period is what says which days a statement covers.
type Period string

// What says which days a statement covers. Statements that earlier versions stored have no Period.
const (
	StatedPeriod Period = "statement" // the file
	SaidPeriod   Period = "covers"    // the user
	OfLines      Period = "lines"     // the first and the last line
)

// Line is a line of a statement with its database keys.
type Line struct {
	Key, Statement int64
	bank.Line
}

// OpenList is an imported list of open invoices or bills.
type OpenList struct {
	Key, File int64
	Side      bank.Side
	Source    string
	AsOf      Day
	Items     []bank.OpenItem
}

// StatedBalance is the balance of an account that the user stated, at the end of a day.
type StatedBalance struct {
	Account int64
	Balance
}

// FeedBalance is a balance in a reading of a connection, at the end of a day. The file is the one
// that holds the connection's readings.
type FeedBalance struct {
	File, Account int64
	Day           Day
	Minor         int64
	// Late is true if lines of the day or of earlier days were listed or removed after the balance
	// was read.
	Late bool
}

// PaidInvoice is a paid invoice in the readings of a connection to a provider of invoices.
type PaidInvoice struct {
	File       int64
	Connection string // public id
	RemoteID   string // provider's id
	Number     string
	Email      string // customer's e-mail address; "" if unknown
	Currency   string
	TotalMinor int64 // money that was paid for it
	Paid       Day   // 0 if unknown
}
