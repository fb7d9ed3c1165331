// Package jsonlines reads and writes statements and open invoices as JSON: one object a line. Any
// program can print them for `tarmac import -`, and what is read from providers over the network is
// imported in this form. docs/import.md describes the fields.
package jsonlines

import (
	"bytes"
	"io"

	"tarmac/service/statements/bank"
)

// Format returns the reader of JSON lines.
func Format() bank.Format {
	return bank.Format{Name: "jsonlines", Title: "JSON lines", Rank: 3, Recognize: recognize, Read: read}
}

// recognize reports whether the first line of a file that is not empty is a JSON object with a
// field that says what the line describes.
func recognize(b *bank.Budget, head []byte) bool {
	lines := bank.NewLines(b, bank.Decode(bytes.NewReader(head), head, ""))
	for {
		text, line, err := lines.Next()
		if err != nil {
			return false
		}
		if text == "" {
			continue
		}
		first, err := parseObject(line, text)
		return err == nil && first.subject() != unknownSubject
	}
}

// read reads a file and passes what its lines describe to the sink.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	lines := bank.NewLines(b, bank.Decode(io.MultiReader(bytes.NewReader(head), file), head, ""))
	r := newReader(options, sink)
	for {
		text, line, err := lines.Next()
		if err == io.EOF {
			return r.finish()
		}
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		if err := r.readLine(line, text); err != nil {
			return err
		}
	}
}
