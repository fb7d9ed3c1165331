package bank

import (
	"cmp"
	"io"

	"tarmac/internal/civil"
)

// DateOrder is the order of day, month and year in numeric dates.
type DateOrder string

// Orders of numeric dates. With the empty DateOrder, the reader decides.
const (
	DayFirst   DateOrder = "dmy"
	MonthFirst DateOrder = "mdy"
	YearFirst  DateOrder = "ymd"
)

// Sign says how a file writes money out: as negative or positive amounts, or in which of two
// columns named Debit and Credit.
type Sign string

// Ways to write money out. With the empty Sign, the reader decides.
const (
	OutNegative Sign = "out-negative"
	OutPositive Sign = "out-positive"
	DebitOut    Sign = "debit-out" // as banks write: a debit is money out
	DebitIn     Sign = "debit-in"  // as companies keep their books: a debit is money in
)

// Options supply what a file does not contain. What the file contains takes precedence. DateOrder,
// Decimal, Sign and Amount are used only where the file is ambiguous.
type Options struct {
	Account   string // number or name of the account
	Currency  string // ISO 4217 code
	AsOf      civil.Date
	DateOrder DateOrder
	Decimal   byte // decimal mark, '.' or ','; 0 if the reader decides
	Sign      Sign
	Amount    string // heading of the column of amounts, if several may be it
}

// HeadSize is the number of bytes at the start of a file by which its format is recognized.
const HeadSize = 64 << 10

// Head returns the first HeadSize bytes of a file, or all bytes of a shorter one.
func Head(file io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(file, HeadSize))
}

// Format is a file format that the program can import.
type Format struct {
	Name  string // name in the JSON output of imports, such as "ofx" or "camt"
	Title string // what people call such files, such as "OFX" or "lists of open invoices"
	// Rank is lower the more detailed the texts of its lines are: from 0 to 3. If several
	// files have the same line, the text from the file with the lowest rank is used.
	Rank int
	// Recognize reports whether a file has this format. The parameter head is the first HeadSize
	// bytes of the file, or all of a shorter file. Recognize never panics.
	Recognize func(b *Budget, head []byte) bool
	// Making returns Statement.Making for a file that Recognize accepts. It is nil for formats that
	// all banks write alike.
	Making func(b *Budget, head []byte) string
	// Read reads a file from its start and passes what it finds to sink. It may read the file
	// twice, but never holds the whole file in memory. It returns an *Error for a damaged file, and
	// a *Question if Options are missing. Errors of the file, of b and of sink are returned
	// unchanged.
	Read func(b *Budget, file io.ReadSeeker, options Options, sink Sink) error
}

// Or returns o with the options that are not set in o taken from other.
func (o Options) Or(other Options) Options {
	return Options{
		Account: cmp.Or(o.Account, other.Account), Currency: cmp.Or(o.Currency, other.Currency),
		AsOf: cmp.Or(o.AsOf, other.AsOf), DateOrder: cmp.Or(o.DateOrder, other.DateOrder),
		Decimal: cmp.Or(o.Decimal, other.Decimal), Sign: cmp.Or(o.Sign, other.Sign),
		Amount: cmp.Or(o.Amount, other.Amount),
	}
}
