package bankfiles

import (
	"io"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// OpenItems writes a CSV list of the invoices that are open on the day asOf.
func OpenItems(w io.Writer, company string, asOf civil.Date, items []bank.OpenItem) error {
	records := [][]string{
		{company},
		{"Open invoices"},
		{"As of " + asOf.String()},
		{},
		{"Number", "Customer", "Issued", "Due", "Currency", "Amount due"},
	}
	for _, item := range items {
		records = append(records, []string{
			item.Number, item.Party, dateOrNone(item.Issued), dateOrNone(item.Due), item.Currency,
			plain(item.Minor, item.Currency),
		})
	}
	return writeCSV(w, records)
}

// dateOrNone returns a date as text, or "" for the zero date.
func dateOrNone(d civil.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}
