// Package camt reads account reports, statements and notifications of ISO 20022: CAMT.052,
// CAMT.053 and CAMT.054, in any version.
//
// The reader goes by the local names of elements, which have hardly changed between versions,
// and by no schema. docs/import.md says what it reads.
package camt

import (
	"bytes"
	"context"
	"io"
	"regexp"

	"tarmac/service/statements/bank"
)

// Format returns the reader of CAMT files.
func Format() bank.Format {
	return bank.Format{Name: "camt", Recognize: recognize, Read: read}
}

// message matches the start of a message: the element below <Document>.
var message = regexp.MustCompile(`<(?:[\w.-]+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)(?:V\d+)?[\s/>]`)

// recognize reports whether a file begins like a CAMT message.
func recognize(head []byte) bool {
	if _, ok := bank.UTF16(head); ok {
		text, err := io.ReadAll(bank.Decode(bytes.NewReader(head), head, ""))
		if err != nil {
			return false
		}
		head = text
	}
	return message.Match(head)
}

// declaration finds the charset in the declaration of XML.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']`)

// read reads a file with one or several messages.
func read(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head := make([]byte, bank.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	head = head[:n]
	charset := ""
	if found := declaration.FindSubmatch(head); found != nil {
		charset = string(found[1])
	}
	r := &reader{
		ctx: ctx, options: options, sink: sink,
		tokens: newTokenizer(bank.Decode(io.MultiReader(bytes.NewReader(head), file), head, charset)),
	}
	return r.read()
}
