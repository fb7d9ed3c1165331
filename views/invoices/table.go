package invoices

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views/parts/saveas"
)

// listedTable returns the shown invoices as a table for export.
func (s *Screen) listedTable() saveas.Table {
	listed := make([]apiclient.Invoice, len(s.shown))
	for row, i := range s.shown {
		listed[row] = *i
	}
	return saveas.List(listed, record.Invoice, "invoice")
}

// fileWords returns the parts of the exported file's name: the invoice status and the filters.
func (s *Screen) fileWords() []string {
	words := []string{"invoices"}
	for _, word := range []string{string(tabs[s.tab]), s.filter.pastDue.Name, s.filter.customer, s.filter.search} {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}
