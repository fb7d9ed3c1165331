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

// Bills writes a CSV list of the bills that are to be paid at the end of the day asOf.
func Bills(w io.Writer, company string, asOf civil.Date, bills []bank.OpenItem) error {
	records := [][]string{
		{company},
		{"Bills to pay"},
		{"As of " + asOf.String()},
		{},
		{"Bill", "Vendor", "Issued", "Due", "Currency", "Amount due"},
	}
	for _, b := range bills {
		records = append(records, []string{
			b.Number, b.Party, dateOrNone(b.Issued), dateOrNone(b.Due), b.Currency, plain(b.Minor, b.Currency),
		})
	}
	return writeCSV(w, records)
}
