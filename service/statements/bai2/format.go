// Package bai2 reads balance reports of US and Canadian banks in the format BAI2.
//
// It parses records with the library moov-io/bai2. That library reads whole files into memory and
// ends the process if a file cannot be read. So it gets one record at a time, with its continuation
// records.
package bai2

import (
	"bytes"
	"context"
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
func recognize(head []byte) bool {
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
func read(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head := make([]byte, bank.HeadSize)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	text := bank.Decode(io.MultiReader(bytes.NewReader(head[:n]), file), head[:n], "")
	r := &reader{ctx: ctx, options: options, sink: sink, records: records{lines: bank.NewLines(text)}}
	return r.read()
}
