package bank

import (
	"context"
	"io"

	"tarmac/internal/civil"
)

// DateOrder is the order of day, month and year in numeric dates.
type DateOrder string

// Orders of dates. The empty order leaves the decision to the reader.
const (
	DayFirst   DateOrder = "dmy"
	MonthFirst DateOrder = "mdy"
	YearFirst  DateOrder = "ymd"
)

// Sign says how a file writes money that leaves an account.
type Sign string

// Signs of money out. The empty sign leaves the decision to the reader.
const (
	OutNegative Sign = "out-negative"
	OutPositive Sign = "out-positive"
)

// Options are answers to what a file does not say. A file's own words come before them, except
// for the orders, marks and signs that it leaves undecided.
type Options struct {
	Account   string // number or name of the account
	Currency  string // ISO 4217 code
	AsOf      civil.Date
	DateOrder DateOrder
	Decimal   byte // '.' or ',', or 0
	Sign      Sign
}

// HeadSize is the number of bytes from the start of a file that recognize it.
const HeadSize = 64 << 10

// Format is a file format that can be read.
type Format struct {
	Name string // as in the JSON of import: "ofx", "camt", …
	// Recognize reports whether a file with this beginning (HeadSize bytes, or all of a shorter
	// file) is of the format. It decides by content only and never panics.
	Recognize func(head []byte) bool
	// Read reads a file from its start and gives what it finds to sink. It keeps a line and
	// counters in memory, never the whole file, and may read the file twice. It returns an
	// *Error for damaged files, a *Question if Options are missing, and errors of the file, the
	// context and the sink as they are.
	Read func(ctx context.Context, file io.ReadSeeker, options Options, sink Sink) error
}
