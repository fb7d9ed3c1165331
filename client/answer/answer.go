// Package answer answers questions about a company's money. There is one function for each
// question: it reads what it needs and returns a document. Commands, line mode and assistants
// render the same document in their own form:
//
//	doc, err := answer.Spend(ctx, source, params)
//
// A new figure, note or request is therefore added in one place. If only a part of an answer could
// be read, the document comes together with an error.
//
// Lists of records (transactions, invoices, events, webhooks) and exports aren't answers. A Doc
// holds all of its rows, but a ledger may have a million transactions: commands print its pages as
// they arrive, line mode jumps to a row, and assistants get a cursor. What they have in common, the
// description of a record, is in package record.
//
// The report and the digest aren't answers either. They cover a month or a week instead of today,
// and are the only ones that show these figures. Alerts are answered by alerts.Overview, whose
// result is also stored and sent.
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

// Question asks for an answer.
type Question func(ctx context.Context, s Source) (*Doc, error)

// Doc is the answer to a question.
type Doc struct {
	Title    string    // a sentence for front ends without a heading of their own; may be ""
	Sections []Section // what people read, in order

	// Table holds the rows of CSV and, unless there is an Object, of JSON. In text it is the table
	// of one of the sections. If it is nil, the Object is the only row of CSV.
	Table   *Table
	Object  record.Object // the answer as one JSON object; nil if it is a list
	Figures record.Object // figures that belong to a list but have no place in its JSON

	Summary    []string         // what the rows add up to; for people only
	Notes      []string         // what is missing or uncertain, in all formats
	CSVNotes   []string         // why figures are incomplete, as other formats show at the figures
	IsFiltered bool             // the question asked for some of the rows only
	Ledger     *spending.Ledger // holds the rows that Reasons refer to; may be nil

	// Unreadable reports rows that could not be decoded. All figures lack them.
	Unreadable error
}

// Section is a part of an answer that people read.
type Section struct {
	Title   string
	Figures record.Object  // figures with their labels
	Table   *Table         // may be nil
	Reasons []why.Sentence // sentences made of figures; masking hides them
	// Revealing has sentences whose dates or numbers reveal amounts; masking hides them.
	Revealing []string
	Text      []string // other sentences
	Err       error    // why the section is missing
}

// Table is a list of records.
type Table struct {
	Title    string        // for front ends without columns; may be ""
	Columns  record.Object // a record whose fields are the columns
	Rows     []Row
	Empty    string // a sentence for a table without rows
	Excluded string // a sentence about rows that the sums exclude; may be ""
}

// Row is a record of a table.
type Row struct {
	record.Object
	Open Question // what the row leads to; may be nil
	// Record is what the row describes, for front ends that have a page for it: an
	// apiclient.Transaction, apiclient.Event, apiclient.OverdueCustomer or collections.Customer.
	Record any
}

// Objects returns the records of the rows.
func (t *Table) Objects() []record.Object {
	return record.DescribeAll(t.Rows, func(r Row) record.Object { return r.Object })
}

func tableOf[T any](sample record.Object, all []T, describe func(*T) record.Object) *Table {
	t := &Table{Columns: sample, Rows: make([]Row, len(all))}
	for i := range all {
		t.Rows[i].Object = describe(&all[i])
	}
	return t
}

// list returns a document that consists of a table.
func list(t *Table) *Doc { return &Doc{Table: t, Sections: []Section{{Table: t}}} }

// one returns a document that consists of one record.
func one(o record.Object) *Doc { return &Doc{Object: o, Sections: []Section{{Figures: o}}} }

// IsEmpty reports whether the document has an empty table.
func (d *Doc) IsEmpty() bool { return d.Table != nil && len(d.Table.Rows) == 0 }

func (d *Doc) note(sentences ...string) {
	d.Notes = append(d.Notes, slices.DeleteFunc(sentences, func(s string) bool { return s == "" })...)
}

// InputError says why a question cannot be answered. Name is the wrong parameter, or "".
type InputError struct{ Name, Text string }

func (e *InputError) Error() string { return strings.TrimSpace(e.Name + " " + e.Text) }

func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
