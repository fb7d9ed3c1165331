// Package answer answers questions about a company's money, each with one function that reads what
// it needs and returns a document. Commands, line mode and assistants show the same document, each
// in its own form:
//
//	doc, err := answer.Spend(ctx, source, params)
//
// An error comes together with a document if only a part of the answer could be read.
package answer

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
)

// Client lists the API requests of the questions. *apiclient.Client implements it.
type Client interface {
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	Bills(ctx context.Context) (*apiclient.Bills, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error)
}

// Source is where answers come from.
type Source struct {
	Client
	// History reads the transactions of the given number of months, including the current one.
	History func(ctx context.Context, months int) (*Past, error)
	Now     time.Time
}

func (s *Source) today() civil.Date { return civil.Of(s.Now) }

// Doc is the answer to a question.
type Doc struct {
	Title string // a sentence for front ends that have no heading of their own; may be ""
	Parts []Part // what people read, in order
	// Rows are what CSV has, and JSON unless there is Whole. In text they are one of the parts.
	Rows  *Table
	Whole record.Object // the answer as one object; nil if it is a list
	Facts record.Object // figures beside a list, for which its JSON has no place
	// Summary says what the rows come to. JSON and CSV leave it out: programs add up themselves.
	Summary    []string
	Notes      []string         // what is missing or uncertain, in all forms
	Marks      []string         // what the marks of figures mean: in CSV, which has no marks
	IsFiltered bool             // there may be rows that the question left out
	Ledger     *spending.Ledger // whose rows Answers are about; may be nil
	// Unreadable is the error that rows could not be read, and are missing in all figures.
	Unreadable error
}

// Part is a part of an answer.
type Part struct {
	Title   string
	Facts   record.Object  // figures with labels
	Table   *Table         // may be nil
	Answers []why.Sentence // sentences that consist of figures
	Remarks []string       // sentences about the figures
	Err     error          // why the part is missing
}

// Table is a list of records.
type Table struct {
	Title   string        // for front ends without columns; may be ""
	Sample  record.Object // its fields are the columns
	Rows    []Row
	None    string // a sentence in place of rows
	LeftOut string // a sentence about what the sums leave out; may be ""
}

// Row is a record of a table. Open is the question that it leads to; nil if there is none. Of is
// what it describes, for front ends that have a page for that: an apiclient.Transaction, an
// apiclient.OverdueCustomer or a collections.Customer.
type Row struct {
	record.Object
	Open Question
	Of   any
}

// Question asks for an answer.
type Question func(ctx context.Context, s Source) (*Doc, error)

// Objects returns the records of the rows.
func (t *Table) Objects() []record.Object {
	return record.DescribeAll(t.Rows, func(r Row) record.Object { return r.Object })
}

func tableOf[T any](sample record.Object, all []T, describe func(*T) record.Object) *Table {
	t := &Table{Sample: sample, Rows: make([]Row, len(all))}
	for i := range all {
		t.Rows[i].Object = describe(&all[i])
	}
	return t
}

// list returns a document whose answer is a table.
func list(t *Table) *Doc { return &Doc{Rows: t, Parts: []Part{{Table: t}}} }

// IsEmpty reports whether the answer is a table without rows.
func (d *Doc) IsEmpty() bool { return d.Rows != nil && d.Whole == nil && len(d.Rows.Rows) == 0 }

func (d *Doc) note(sentences ...string) {
	d.Notes = append(d.Notes, slices.DeleteFunc(sentences, func(s string) bool { return s == "" })...)
}

// InputError says why a question cannot be answered as it was asked. Name is the parameter that is
// wrong, or "".
type InputError struct{ Name, Text string }

func (e *InputError) Error() string { return strings.TrimSpace(e.Name + " " + e.Text) }

func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
