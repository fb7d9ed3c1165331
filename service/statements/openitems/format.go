// Package openitems reads lists of open invoices: reports of QuickBooks and Xero, exports of
// Stripe, and other tables with common column names. docs/import.md describes what it reads.
package openitems

import (
	"bytes"
	"io"

	"tarmac/service/statements/bank"
)

// Format returns the reader of lists of open invoices.
func Format() bank.Format {
	return bank.Format{Name: "receivables", Title: "lists of open invoices", Rank: 3, Recognize: recognize, Read: read}
}

func recognize(b *bank.Budget, head []byte) bool {
	_, ok := findLayout(b, head)
	return ok
}

// Limits for what is above the header: the number of records, and the number of title lines.
const (
	maxPreamble = 20
	maxTitles   = 8
)

// findLayout finds the header of a list of open invoices near the start of a file. It returns false
// if there is none.
func findLayout(b *bank.Budget, head []byte) (layout, bool) {
	for _, separator := range ",;\t" {
		records := bank.NewRecords(b, bank.Decode(bytes.NewReader(head), head, ""), separator)
		found := layout{separator: separator}
		for range maxPreamble {
			fields, line, err := records.Next()
			if err != nil {
				break
			}
			if found.readHeader(fields) {
				found.header = line
				return found, true
			}
			if line <= maxTitles {
				found.readPreamble(fields)
			}
		}
		if found.asOfText != "" && found.refusal() != "" {
			return found, true
		}
	}
	return layout{}, false
}

// read reads a file twice: first to decide the order of dates and the decimal mark, then to pass
// its invoices to the sink.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	columns, ok := findLayout(b, head)
	if !ok {
		return bank.Errorf(0, "contains no list of open invoices")
	}
	if reason := columns.refusal(); reason != "" {
		return bank.Errorf(0, "%s", reason)
	}
	found := &evidence{columns: columns, currency: options.Currency}
	if err := eachRow(b, file, head, columns, found.addRow); err != nil {
		return err
	}
	r, err := newReader(columns, found, options, sink)
	if err != nil {
		return err
	}
	if err := eachRow(b, file, head, columns, r.take); err != nil {
		return err
	}
	return r.finish()
}

// eachRow calls visit for every record below the header.
func eachRow(
	b *bank.Budget, file io.ReadSeeker, head []byte, columns layout, visit func(row) error,
) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	records := bank.NewRecords(b, bank.Decode(file, head, ""), columns.separator)
	for {
		fields, line, err := records.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if line <= columns.header {
			continue
		}
		if err := visit(row{line: line, fields: fields, columns: &columns}); err != nil {
			return err
		}
	}
}
