// Package table reads exports of banks and payment services whose values are separated by commas,
// tabs, semicolons or bars (CSV).
//
// These files do not say what their columns mean. The reader finds the header by the names of
// columns. It infers the order of dates, the decimal mark and the sign of money out from the whole
// file, and returns a question for what the file leaves ambiguous. docs/import.md describes what it
// reads.
package table

import (
	"io"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// Format returns the reader of CSV files.
func Format() bank.Format {
	return bank.Format{Name: "csv", Title: "CSV", Rank: 3, Recognize: recognize, Making: making, Read: read}
}

// recognize reports whether a file begins like an account's CSV export.
func recognize(b *bank.Budget, head []byte) bool {
	_, ok := detect(b, head)
	return ok
}

// making identifies the kind of export that begins with head: a hash of its header.
func making(b *bank.Budget, head []byte) string {
	found, ok := detect(b, head)
	if !ok {
		return ""
	}
	return found.making
}

// read detects the layout of a file and reads it.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	found, ok := detect(b, head)
	switch {
	case !ok:
		return bank.Errorf(0, "has no columns of dates and amounts that can be told apart")
	case found.wanted != "":
		return bank.Errorf(found.headerLine, "these are %s", found.wanted)
	}
	records := start{b, decoded(head, found.charset)}.sample(found.delimiter, bank.HeadSize)
	if err := found.chooseAmounts(options, records); err != nil {
		return found.withSamples(err, records)
	}
	r := newReader(b, file, head, found, options)
	r.sink = sink
	if found.sides != nil {
		return found.withSamples(r.readTwoSided(), records)
	}
	return found.withSamples(r.read(), records)
}

// reader reads a CSV file whose layout is known. It reads the file several times: first to decide
// what is ambiguous, last to pass the lines to the sink.
type reader struct {
	budget  *bank.Budget
	file    io.ReadSeeker
	head    []byte
	options bank.Options
	sink    bank.Sink
	layout  *layout
	words   map[string]meaning // meanings of the words in columns of statuses and signs

	// Decided before the lines are read.
	dateOrders []bank.DateOrder // order of dates in each column of layout.dates
	valueOrder bank.DateOrder
	mark       byte
	// balanceMark is the decimal mark of the running balances. If it is not decided, the mark of
	// the amounts is used.
	balanceMark written.Marks
	flip        bool // true if positive amounts are money out
	owed        bool // true if the running balance is the amount owed, as on a card
	way         reading
	holds       bool // true if the running balances follow from the amounts according to way
	evidence    *evidence
	notBooked   map[int]bool // line numbers of rows that the balances leave out
	nameField   fixedField   // field of the first text that has the name; zero if texts have no fields

	accounts map[accountKey]*account
}

func newReader(
	b *bank.Budget, file io.ReadSeeker, head []byte, found *layout, options bank.Options,
) *reader {
	return &reader{
		budget: b, file: file, head: head, options: options, layout: found,
		words: map[string]meaning{}, dateOrders: make([]bank.DateOrder, len(found.dates)),
	}
}

func (r *reader) read() error {
	if err := r.decideForms(); err != nil {
		return err
	}
	if err := r.collectEvidence(); err != nil {
		return err
	}
	if r.isOthersAccounts() {
		// The file is read as if the column were named as the other party's account.
		if r.layout.otherAccount == none {
			r.layout.otherAccount = r.layout.account
		}
		r.layout.account = none
		if err := r.collectEvidence(); err != nil {
			return err
		}
	}
	if r.findHolds() {
		if err := r.collectEvidence(); err != nil {
			return err
		}
	}
	if err := r.decideSign(); err != nil {
		return err
	}
	return r.emit()
}

// forEachRecord reads the file from its start and calls take for each record after the header. It
// stops when take returns an error. It returns this error, or nil for errStop.
func (r *reader) forEachRecord(take func(*record) error) error {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := newRecords(r.budget, bank.Decode(r.file, r.head, r.layout.charset), r.layout.delimiter)
	for {
		next, err := in.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case next.line <= r.layout.headerLine, r.layout.header != "" && next.text == r.layout.header, next.empty():
			continue
		}
		switch err := take(next); err {
		case nil:
		case errStop:
			return nil
		default:
			return err
		}
	}
}
