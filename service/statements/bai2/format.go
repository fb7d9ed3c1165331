// Package bai2 reads balance reports of US and Canadian banks in the format BAI2.
package bai2

import (
	"bytes"
	"io"
	"regexp"

	"tarmac/service/statements/bank"
)

// Format returns the reader of BAI2 files.
func Format() bank.Format {
	return bank.Format{Name: "bai2", Title: "BAI2", Rank: 2, Recognize: recognize, Read: read}
}

// header matches a file header record followed by the start of a group header.
var header = regexp.MustCompile(
	`^[\x00-\x20]*01,[^,\n]*,[^,\n]*,\d{6},[^/]*?[/\n][\x00-\x20]*(?:88,[^\n]*[\x00-\x20]*)*02,`)

// recognize reports whether a file begins with the headers of a BAI2 file.
func recognize(_ *bank.Budget, head []byte) bool {
	if _, ok := bank.UTF16(head); ok {
		text, err := io.ReadAll(bank.Decode(bytes.NewReader(head), head, ""))
		if err != nil {
			return false
		}
		head = text
	}
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	return header.Match(bytes.ReplaceAll(head, []byte("\r"), []byte("\n")))
}

// read reads a file. It may contain several BAI2 files, one after the other.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	text := bank.Decode(io.MultiReader(bytes.NewReader(head), file), head, "")
	r := &reader{options: options, sink: sink, records: records{lines: bank.NewLines(b, text)}}
	return r.read()
}
