// Package table reads exports of banks and payment services as comma-separated values, and as
// values separated by tabs, semicolons or bars.
//
// Such files say little about themselves. The reader finds the header by its words, looks at
// the whole file for evidence of the order of dates, the decimal mark and the sign of
// amounts, and asks what the file leaves undecided. docs/import.md says what it reads.
package table

import (
	"context"
	"io"

	"tarmac/service/statements/bank"
)

// Format returns the reader of separated values.
func Format() bank.Format {
	return bank.Format{Name: "csv", Recognize: recognize, Read: read}
}

// recognize reports whether a file begins like the export of an account.
func recognize(head []byte) bool {
	_, ok := detect(head)
	return ok
}

// read reads a file: first what it takes to understand it, then its lines.
func read(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head := make([]byte, bank.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	found, ok := detect(head[:n])
	switch {
	case !ok:
		return bank.Errorf(0, "has no columns of dates and amounts that can be told apart")
	case found.wanted != "":
		return bank.Errorf(found.headerLine, "these are %s", found.wanted)
	}
	r := newReader(ctx, file, head[:n], found, options)
	r.sink = sink
	return r.read()
}

// reader reads a file whose layout is known.
type reader struct {
	ctx     context.Context
	file    io.ReadSeeker
	head    []byte
	options bank.Options
	sink    bank.Sink
	layout  *layout
	words   map[string]meaning // of cells in columns of statuses and signs

	// What the first reading decides.
	dateOrders []orders // by column of layout.dates
	valueOrder orders
	mark       byte
	// balanceMark is the decimal mark of the running balances: that of the amounts unless decided.
	balanceMark marks
	flip        bool // positive amounts are money out
	owed        bool // the running balance is what is owed
	way         reading
	holds       bool // the running balances follow from the amounts in that reading
	evidence    *evidence

	accounts map[accountKey]*account
}

func newReader(
	ctx context.Context, file io.ReadSeeker, head []byte, found *layout, options bank.Options,
) *reader {
	return &reader{
		ctx: ctx, file: file, head: head, options: options, layout: found,
		words: map[string]meaning{}, dateOrders: make([]orders, len(found.dates)),
	}
}

func (r *reader) read() error {
	if err := r.decideForms(); err != nil {
		return err
	}
	if err := r.collectEvidence(); err != nil {
		return err
	}
	if err := r.decideSign(); err != nil {
		return err
	}
	return r.emit()
}

// each calls take for each record after the header, until take returns errStop or another
// error.
func (r *reader) each(take func(*record) error) error {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := newRecords(bank.Decode(r.file, r.head, r.layout.charset), r.layout.delimiter)
	for count := 0; ; count++ {
		if count%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
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
