// Package dates holds what dates have in common in files of banks, however they are written: the
// order of day, month and year, the names of months, and years of two digits.
package dates

import (
	"strings"
	"time"

	"tarmac/service/statements/bank"
)

// In returns year, month and day of a date whose three numbers are written in the given order.
func In(order bank.DateOrder, numbers [3]int) (year, month, day int) {
	switch order {
	case bank.MonthFirst:
		return numbers[2], numbers[0], numbers[1]
	case bank.YearFirst:
		return numbers[0], numbers[1], numbers[2]
	}
	return numbers[2], numbers[1], numbers[0]
}

// The first years of two digits that belong to the 20th century. Formats differ in this: with
// CommonTurn, 70 is 1970 and 69 is 2069. NoTurn is for dates that are never so old.
const (
	CommonTurn = 70
	SwiftTurn  = 80 // as SWIFT has it for MT940, and BAI2
	NoTurn     = 100
)

// FullYear adds the century to a year of two digits. Years from turn on belong to the 20th century.
func FullYear(year, turn int) int {
	if year >= turn {
		return 1900 + year
	}
	return 2000 + year
}

// EnglishMonth returns the number of the month, from 1, whose English name begins with the text,
// which must have three letters or more. It returns 0 if there is none.
func EnglishMonth(text string) int {
	for month := time.January; len(text) >= 3 && month <= time.December; month++ {
		if name := month.String(); len(text) <= len(name) && strings.EqualFold(text, name[:len(text)]) {
			return int(month)
		}
	}
	return 0
}

// monthStarts lists, for each month, the first letters of its names in the languages of bank files.
var monthStarts = [12][]string{
	{"jan", "ene", "gen", "sty", "led", "oca"}, {"feb", "fev", "lut", "uno", "sub"},
	{"mar", "mae", "mrt", "mrz", "brez"}, {"apr", "avr", "abr", "kwi", "dub", "nis"},
	{"may", "mai", "mei", "mag", "maj", "kve"}, {"jun", "juin", "giu", "cze", "haz"},
	{"jul", "juil", "lug", "lip", "tem"}, {"aug", "aou", "ago", "sie", "srp", "agu"},
	{"sep", "set", "wrz", "zar", "eyl"}, {"oct", "okt", "out", "ott", "paz", "rij", "eki"},
	{"nov", "lis", "kas"}, {"dec", "dez", "dic", "des", "gru", "pro", "ara"},
}

// Month returns the number of the month, from 1, with this name in any language of bank files, in
// small letters without accents. It returns 0 if there is none.
func Month(name string) int {
	if len(name) < 3 || len(name) > 10 {
		return 0
	}
	longest, found := 0, 0
	for i, starts := range monthStarts {
		for _, start := range starts {
			if strings.HasPrefix(name, start) && len(start) > longest {
				longest, found = len(start), i+1
			}
		}
	}
	return found
}
