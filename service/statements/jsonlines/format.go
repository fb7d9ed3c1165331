// Package jsonlines reads and writes statements and open invoices as JSON: one object a line. Any
// program can print them for `tarmac import -`, and what is read from providers over the network is
// imported in this form. docs/import.md describes the fields.
package jsonlines

import (
	"bytes"
	"context"
	"io"

	"tarmac/service/statements/bank"
)

// Format returns the reader of JSON lines.
func Format() bank.Format {
	return bank.Format{Name: "jsonlines", Title: "JSON lines", Rank: 3, Recognize: recognize, Read: read}
}

// recognize reports whether the first line of a file that is not empty is a JSON object with a
// field that says what the line describes.
func recognize(head []byte) bool {
	lines := bank.NewLines(bank.Decode(bytes.NewReader(head), head, ""))
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
func read(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head := make([]byte, bank.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	head = head[:n]
	lines := bank.NewLines(bank.Decode(io.MultiReader(bytes.NewReader(head), file), head, ""))
	r := newReader(options, sink)
	for count := 0; ; count++ {
		if count%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
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
