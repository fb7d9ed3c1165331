// Package statements knows the formats of bank files and which of them a file has.
package statements

import (
	"tarmac/service/statements/bai2"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/camt"
	"tarmac/service/statements/journal"
	"tarmac/service/statements/mt940"
	"tarmac/service/statements/ofx"
	"tarmac/service/statements/openitems"
	"tarmac/service/statements/qif"
	"tarmac/service/statements/rates"
	"tarmac/service/statements/table"
)

// Formats returns all formats that can be read, in the order in which they are recognized: the
// most specific first.
func Formats() []bank.Format {
	return []bank.Format{
		rates.Format(),
		camt.Format(),
		ofx.Format(),
		mt940.Format(),
		bai2.Format(),
		qif.Format(),
		journal.Beancount(),
		journal.Hledger(),
		openitems.Format(),
		table.Format(),
	}
}

// Detect returns the format of a file that begins like head, which has bank.HeadSize bytes or
// all of a shorter file. It returns false for a file that is of none.
func Detect(head []byte) (bank.Format, bool) {
	if bank.NotText(head) != "" {
		return bank.Format{}, false
	}
	for _, format := range Formats() {
		if format.Recognize(head) {
			return format, true
		}
	}
	return bank.Format{}, false
}
