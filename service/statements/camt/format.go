// Package camt reads account reports (CAMT.052), statements (CAMT.053) and notifications (CAMT.054)
// of ISO 20022, in any version.
//
// It uses no schema. It finds elements by their names without namespace, which have hardly changed
// between versions. docs/import.md describes what it reads.
package camt

import (
	"bytes"
	"io"
	"regexp"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/elements"
)

// Format returns the reader of CAMT files.
func Format() bank.Format {
	return bank.Format{Name: "camt", Title: "CAMT", Rank: 0, Recognize: recognize, Read: read}
}

// message matches the start tag of a message, which is the child of <Document>.
var message = regexp.MustCompile(`<(?:[\w.-]+:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)(?:V\d+)?[\s/>]`)

// recognize reports whether a file begins with a CAMT message.
func recognize(_ *bank.Budget, head []byte) bool {
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
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	charset := ""
	if found := declaration.FindSubmatch(head); found != nil {
		charset = string(found[1])
	}
	r := &reader{
		options: options, sink: sink,
		tokens: elements.NewReader(b, bank.Decode(io.MultiReader(bytes.NewReader(head), file), head, charset)),
	}
	return r.read()
}
