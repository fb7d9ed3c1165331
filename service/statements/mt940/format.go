// Package mt940 reads statements (MT940) and interim reports (MT942) in the format of SWIFT.
//
// Banks use the same fields for balances and lines, but different forms for the texts of a line.
// docs/import.md describes what is read.
package mt940

import (
	"bytes"
	"io"
	"regexp"

	"tarmac/service/statements/bank"
)

// Format returns the reader of MT940 and MT942 files.
func Format() bank.Format {
	return bank.Format{Name: "mt940", Title: "MT940", Rank: 2, Recognize: recognize, Read: read}
}

// A file is recognized by a reference field, and by a field with an account, a balance or a line.
var (
	reference = regexp.MustCompile(`(?m)(?:^|^[\x00-\x20]+|\{4:\s*):20:`)
	content   = regexp.MustCompile(`(?m)^[\x00-\x20]*:(?:25P?:|28C?:|60[FM]:|61:\d{6})`)
)

// recognize reports whether a file begins with the fields of an MT940 or MT942 message.
func recognize(_ *bank.Budget, head []byte) bool {
	if _, ok := bank.UTF16(head); ok {
		text, err := io.ReadAll(bank.Decode(bytes.NewReader(head), head, ""))
		if err != nil {
			return false
		}
		head = text
	}
	head = bytes.ReplaceAll(head, []byte("\r"), []byte("\n"))
	return reference.Match(head) && content.Match(head)
}

// read reads a file, which may contain several messages.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	text := bank.Decode(io.MultiReader(bytes.NewReader(head), file), head, "")
	r := &reader{options: options, sink: sink, fields: fields{lines: bank.NewLines(b, text)}}
	return r.read()
}
