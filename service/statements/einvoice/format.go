// Package einvoice reads electronic invoices of vendors: XML in the syntaxes UBL and CII of the
// European standard EN 16931. docs/import.md describes what it reads.
package einvoice

import (
	"bytes"
	"io"
	"regexp"

	"tarmac/service/statements/bank"
)

// Format returns the reader of electronic invoices.
func Format() bank.Format {
	return bank.Format{Name: Name, Title: "electronic invoices", Rank: 3, Recognize: recognize, Read: read}
}

// Name is the name of the format.
const Name = "einvoice"

// MaxSize is the largest size of a file in bytes. Invoices may contain other documents.
const MaxSize = 20 << 20

// root matches the start tag of an invoice in UBL or CII.
var root = regexp.MustCompile(`<(?:[\w.-]+:)?(?:(?:Invoice|CreditNote)\s[^>]*` +
	`urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)-2|CrossIndustryInvoice[\s>])`)

// recognize reports whether a file begins with an invoice.
func recognize(_ *bank.Budget, head []byte) bool {
	if _, ok := bank.UTF16(head); ok {
		text, err := io.ReadAll(bank.Decode(bytes.NewReader(head), head, ""))
		if err != nil {
			return false
		}
		head = text
	}
	return root.Match(head)
}

// read reads a file and passes the invoice in it to the sink, as a list of one bill.
func read(b *bank.Budget, file io.ReadSeeker, _ bank.Options, sink bank.Sink) error {
	content, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	switch {
	case err != nil:
		return err
	case len(content) > MaxSize:
		return bank.Errorf(0, "is larger than 20 MB, the largest electronic invoice that is read")
	}
	found, err := parse(b, content)
	if err != nil {
		return err
	}
	return found.pass(sink)
}
