// Package qif reads statements in the Quicken Interchange Format.
//
// The format has no version and names no currency. The order of dates and the decimal mark depend
// on the program that wrote the file. So the reader reads a file twice: first to infer these two,
// then to pass the lines to the sink. docs/import.md describes what it reads.
package qif

import (
	"bytes"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// Format returns the reader of QIF files.
func Format() bank.Format {
	return bank.Format{Name: "qif", Title: "QIF", Rank: 3, Recognize: recognize, Read: read}
}

// headers lists the lines that begin a section.
var headers = []string{"!type:", "!account", "!option:", "!clear:"}

// recognize reports whether a file begins with the header of a section or, as at some banks, with a
// transaction.
func recognize(_ *bank.Budget, head []byte) bool {
	head = bytes.TrimPrefix(bytes.ReplaceAll(head, []byte{0}, nil), []byte("\xef\xbb\xbf"))
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		head = bytes.TrimPrefix(head, []byte(mark))
	}
	text := strings.TrimLeft(string(head), " \t\r\n")
	for _, header := range headers {
		if len(text) >= len(header) && strings.EqualFold(text[:len(header)], header) {
			return true
		}
	}
	return startsWithTransaction(text)
}

// startsWithTransaction reports whether a text begins with a date field and has an amount field
// before the end of the first record.
func startsWithTransaction(text string) bool {
	lines := strings.FieldsFunc(text[:min(len(text), 4096)], func(r rune) bool { return r == '\r' || r == '\n' })
	hasAmount := false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case i == 0 && (len(line) < 2 || line[0] != 'D' || line[1] < '0' || line[1] > '9'):
			return false
		case strings.HasPrefix(line, "T") && strings.ContainsAny(line, "0123456789"):
			hasAmount = true
		case line == "^":
			return hasAmount
		}
	}
	return false
}

// read reads a file twice: first for the order of dates and the decimal mark, then for its lines.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	found := new(evidence)
	if err := eachRecord(b, file, head, func(r record) error { return found.observe(r, options) }); err != nil {
		return err
	}
	style, err := found.decide(options)
	if err != nil {
		return err
	}
	r := &reader{style: style, options: options, sink: sink}
	if err := eachRecord(b, file, head, r.take); err != nil {
		return err
	}
	return r.finish()
}

// eachRecord calls visit for every record of a file.
func eachRecord(b *bank.Budget, file io.ReadSeeker, head []byte, visit func(record) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	ended := &lastByte{in: file}
	s := &scanner{lines: bank.NewLines(b, bank.Decode(ended, head, "")), ended: ended}
	for {
		next, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(next); err != nil {
			return err
		}
	}
}
