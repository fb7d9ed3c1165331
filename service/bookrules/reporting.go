package bookrules

import (
	"cmp"
	"slices"
)

// CurrencyLines is the number of lines in a currency.
type CurrencyLines struct {
	Currency string `json:"currency"`
	Lines    int    `json:"lines"`
}

// Reporting says in which currency an organization reports that has not decided it, and why.
type Reporting struct {
	Currency string
	Import   string // public id of the import that it follows from; "" if there is none
	Answered bool   // true if the user has said so at that import
	// Lines are the currencies of that import, that of most lines first.
	Lines []CurrencyLines
}

// ReportingOf returns the currency of reports: what the user said at the oldest import that has
// statements, or else the currency of most of its lines, of equally many the first in alphabetical
// order. Without any statement, it is the US dollar. imports are ordered, the oldest first.
func ReportingOf(imports []Import, statements []Statement, accounts []Account) Reporting {
	currencies := map[int64]string{} // by account
	for _, a := range accounts {
		currencies[a.Key] = a.Currency
	}
	for _, i := range imports {
		lines := map[string]int{}
		for _, s := range statements {
			if currency := currencies[s.Account]; currency != "" && i.has(s.File) {
				lines[currency] += s.Lines
			}
		}
		if len(lines) == 0 {
			continue
		}
		r := Reporting{Currency: i.Reporting, Import: i.ID, Answered: i.Reporting != ""}
		for currency, n := range lines {
			r.Lines = append(r.Lines, CurrencyLines{currency, n})
		}
		slices.SortFunc(r.Lines, func(a, b CurrencyLines) int {
			return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Currency, b.Currency))
		})
		r.Currency = cmp.Or(r.Currency, r.Lines[0].Currency)
		return r
	}
	return Reporting{Currency: USD}
}

// has reports whether a file is part of the import.
func (i Import) has(file int64) bool {
	return slices.ContainsFunc(i.Files, func(f ImportedFile) bool { return f.Key == file })
}
