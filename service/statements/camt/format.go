// Package camt reads account reports (CAMT.052), statements (CAMT.053) and notifications (CAMT.054)
// of ISO 20022, in any version.
//
// It uses no schema. It finds elements by their names without namespace, which have hardly changed
// between versions. docs/import.md describes what it reads.
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
	return bank.Format{Name: "camt", Title: "CAMT", Rank: 0, Recognize: recognize, Read: read}
}

// message matches the start tag of a message, which is the child of <Document>.
var message = regexp.MustCompile(`<(?:[\w.-]+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)(?:V\d+)?[\s/>]`)

// recognize reports whether a file begins with a CAMT message.
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

// declaration matches an XML declaration and captures the charset.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']`)

// read reads a file, which may contain several messages.
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
