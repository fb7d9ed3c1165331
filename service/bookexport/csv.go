package bookexport

import (
	"encoding/csv"
	"io"
	"strconv"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/spreadsheet"
	"tarmac/service/statements/bank"
)

// csvWriter writes a row for each amount on an account of the organization, with the account's
// balance after it.
type csvWriter struct {
	*csv.Writer
	balances map[*Account]int64
}

func newCSV(out io.Writer) *csvWriter {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	return &csvWriter{w, map[*Account]int64{}}
}

func (w *csvWriter) Begin(Header) error {
	return w.Write([]string{
		"date", "account", "currency", "amount_minor", "amount", "balance", "kind", "counterparty", "description",
		"reference", "category", "other_account", "id", "note",
	})
}

// Rate writes nothing, because a table of lines has no place for rates.
func (w *csvWriter) Rate(bank.Rate) error { return nil }

func (w *csvWriter) Transaction(t *Transaction) error {
	for i := range t.Postings {
		p := &t.Postings[i]
		if p.Own == nil {
			continue
		}
		balance := money.Dash
		if sum, fits := money.Add(w.balances[p.Own], p.Minor); fits && p.Own.BalanceKnown {
			w.balances[p.Own] = sum
			balance = decimal(sum, p.Currency)
		}
		err := w.Write([]string{
			t.Date.String(), spreadsheet.Cell(hledgerName(p.Own.Name)), p.Currency, strconv.FormatInt(p.Minor, 10),
			decimal(p.Minor, p.Currency), balance, string(t.Kind), spreadsheet.Cell(oneLine(t.Payee)),
			spreadsheet.Cell(oneLine(t.Description)), spreadsheet.Cell(oneLine(t.Reference)),
			spreadsheet.Cell(oneLine(t.Category)), spreadsheet.Cell(otherAccount(t, i)), t.ID,
			spreadsheet.Cell(oneLine(t.Note)),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// otherAccount returns the name of the account on the other side of a posting: an own account if
// there is one. It returns "" for a transaction, whose other side is its category.
func otherAccount(t *Transaction, posting int) (name string) {
	if t.Kind == Payment {
		return ""
	}
	for i := range t.Postings {
		if other := &t.Postings[i]; i != posting && (name == "" || other.Own != nil) {
			name = hledgerName(other.name())
		}
	}
	return name
}

// Balance writes nothing, because each row has the balance.
func (w *csvWriter) Balance(civil.Date, *Account, int64) error { return nil }

func (w *csvWriter) End() error {
	w.Flush()
	return w.Error()
}
