package bankfiles

import (
	"encoding/csv"
	"io"
	"slices"

	"tarmac/internal/money"
)

// AccountCSV writes the booked lines of an account as CSV, as US banks offer it: with the account
// above the header, the newest line first, and the balance after each line.
func AccountCSV(w io.Writer, from Institution, s Statement) error {
	records := [][]string{
		{"Account", from.Name + " " + s.Account.Name},
		{"Account number", s.Account.Number},
		{"Currency", s.Currency},
		{},
		{"Date", "Description", "Reference", "Amount", "Balance"},
	}
	balance := s.Opening.Minor
	header := len(records)
	for _, l := range s.Lines {
		if l.Pending {
			continue
		}
		balance += l.Minor
		records = append(records, []string{
			american(l.Booked), text(l), l.Reference, money.Format(l.Minor, s.Currency), money.Format(balance, s.Currency),
		})
	}
	slices.Reverse(records[header:])
	return writeCSV(w, records)
}

// CardCSV writes the booked lines of a credit card as CSV. Purchases are positive and payments
// negative. The balance after each line is negative while money is owed, from which readers can
// tell the signs.
func CardCSV(w io.Writer, s Statement) error {
	records := [][]string{
		{"Credit card activity"},
		{"Account number", s.Account.Number},
		{"Currency", s.Currency},
		{},
		{"Transaction Date", "Post Date", "Description", "Amount", "Balance"},
	}
	balance := s.Opening.Minor
	for _, l := range s.Lines {
		if l.Pending {
			continue
		}
		balance += l.Minor
		records = append(records, []string{
			american(valueDate(l)), american(l.Booked), text(l), plain(-l.Minor, s.Currency), plain(balance, s.Currency),
		})
	}
	return writeCSV(w, records)
}

func writeCSV(w io.Writer, records [][]string) error {
	return csv.NewWriter(w).WriteAll(records)
}
