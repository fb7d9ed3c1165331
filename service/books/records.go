package books

import (
	"time"

	"tarmac/service/statements/bank"
)

// Role says how an account counts.
type Role string

// Roles of accounts. Balances of closed and excluded accounts are no cash; an excluded account
// never takes part in a transfer, so that money paid into it has left.
const (
	Operating Role = "operating"
	Savings   Role = "savings"
	Card      Role = "card"
	Closed    Role = "closed"
	Excluded  Role = "excluded"
)

// Account is an account of the books.
type Account struct {
	Key      int64
	Number   string // as the first file has it, or the name that a person gave
	Currency string // ISO 4217
	Bank     string
	Name     string
	Role     Role
}

// File is a file as it was read with certain options.
type File struct {
	Key    int64
	Hash   [32]byte // of the content and the options
	SHA256 [32]byte // of the content
	Format string
	Making string // see Content
	Rank   int
}

// Import is a set of files that were taken in together.
type Import struct {
	Key   int64
	ID    string // public id, "imp_…"
	At    time.Time
	Files []ImportedFile
}

// ImportedFile is a file of an import.
type ImportedFile struct {
	Name string // without directory
	File
}

// Statement is a statement of a file, without its lines.
type Statement struct {
	Key, File, Account int64
	Covered            Span
	Opening            *Balance // nil if unknown
	Closing            *Balance // nil if unknown
	Lines              int      // booked lines
	InflowMinor        int64
	OutflowMinor       int64
	PendingLines       int
	PendingMinor       int64 // with sign
}

// Line is a line of a statement.
type Line struct {
	Key, Statement int64
	bank.Line
}

// OpenList is a list of open invoices.
type OpenList struct {
	Key, File int64
	Source    string
	AsOf      Day
	Items     []bank.OpenItem
}
