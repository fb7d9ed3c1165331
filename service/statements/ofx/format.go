// Package ofx reads statements in Open Financial Exchange, versions 1 (SGML) and 2 (XML), and in
// its variants for Quicken (QFX) and QuickBooks (QBO).
//
// Many banks deviate from the standard. The reader relies only on the names of tags and on which
// tags contain others. docs/import.md describes what it reads.
package ofx

import (
	"bytes"
	"io"

	"tarmac/service/statements/bank"
)

// Format returns the reader of OFX, QFX and QBO files.
func Format() bank.Format {
	return bank.Format{Name: "ofx", Title: "OFX", Rank: 1, Recognize: recognize, Read: read}
}

// recognize reports whether a file begins with the header or the first tag of OFX.
func recognize(_ *bank.Budget, head []byte) bool {
	head = bytes.ToUpper(bytes.ReplaceAll(head, []byte{0}, nil))
	for _, mark := range []string{"OFXHEADER", "<?OFX", "<OFX>", "<OFX "} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

// read reads a file, which may contain several OFX documents.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	in := io.MultiReader(bytes.NewReader(head), file)
	if name, ok := bank.UTF16(head); ok {
		in = bank.Decode(in, head, name)
	}
	r := &reader{
		options: options, sink: sink, tokens: newTokenizer(b, in), decoder: newDecoder(head),
		amounts: amounts{options: options},
	}
	return r.read()
}
