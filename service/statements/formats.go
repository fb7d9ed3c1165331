// Package statements lists the formats of bank files that can be imported, and detects the format
// of a file.
package statements

import (
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/statements/bai2"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/camt"
	"tarmac/service/statements/einvoice"
	"tarmac/service/statements/journal"
	"tarmac/service/statements/jsonlines"
	"tarmac/service/statements/mt940"
	"tarmac/service/statements/ofx"
	"tarmac/service/statements/openitems"
	"tarmac/service/statements/qif"
	"tarmac/service/statements/rates"
	"tarmac/service/statements/table"
)

// Formats returns all formats in the order in which Detect tries them: the most specific first.
// Today is the day of the import, as journals may have dates without a year.
func Formats(today civil.Date) []bank.Format {
	return []bank.Format{
		rates.Format(),
		jsonlines.Format(),
		camt.Format(),
		einvoice.Format(),
		ofx.Format(),
		mt940.Format(),
		bai2.Format(),
		qif.Format(),
		journal.Beancount(),
		journal.Hledger(today),
		openitems.Format(),
		table.Format(),
	}
}

// Titles returns what people call the files that can be imported, the most detailed ones first.
func Titles() (titles []string) {
	formats := Formats(civil.Date{})
	slices.Reverse(formats) // the least specific is the most frequent
	slices.SortStableFunc(formats, func(a, b bank.Format) int { return a.Rank - b.Rank })
	for _, format := range formats {
		titles = append(titles, format.Title)
	}
	return titles
}

// Detect returns the format of a file that begins with head, which has bank.HeadSize bytes, or all
// bytes of a shorter file. Today is that of Formats. It returns false if no format fits, and an
// error when the budget ends.
func Detect(b *bank.Budget, head []byte, today civil.Date) (found bank.Format, known bool, err error) {
	if bank.NotText(head) != "" {
		return bank.Format{}, false, nil
	}
	for _, format := range Formats(today) {
		if err := b.Step(len(head)); err != nil {
			return bank.Format{}, false, err
		}
		if format.Recognize(b, head) {
			return format, true, nil
		}
	}
	return bank.Format{}, false, b.Step(0)
}

// Explain says of a file that begins with head, and whose format Detect doesn't know, what was
// found in it and what is missing. It returns "" if nothing is known.
func Explain(b *bank.Budget, head []byte) string {
	if bank.NotText(head) != "" {
		return ""
	}
	return table.Explain(b, head)
}
