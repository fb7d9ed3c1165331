// Package spending groups the rows of a ledger by counterparty, and explains why the net (money in
// less money out) of one month differs from that of another. Its figures add up to the server's
// totals, to the cent.
package spending

import (
	"unique"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
)

// Purpose says whether a row is cost or income, or neither.
type Purpose int

// Values of Purpose.
const (
	Operating   Purpose = iota // cost or income
	OwnTransfer                // money that moved between accounts of the organization
	Financing                  // money from or to investors and lenders
)

// Row is a transaction with its counterparty's key and its purpose.
type Row struct {
	*apiclient.Transaction
	Key     string // key of the counterparty: equal for all spellings of its name
	Purpose Purpose
}

// Signed returns the USD cents of a row, negative for money out. It returns false if the amount or
// the direction is unknown.
func (r *Row) Signed() (cents int64, known bool) {
	cents, known = r.USD.Minor()
	if r.Direction == apiclient.Outflow {
		cents = -cents
	}
	return cents, known && r.Direction.Known()
}

// Ledger holds the rows of some months, newest first.
type Ledger struct{ Rows []Row }

// NewLedger returns a ledger of transactions, which are ordered newest first. The maps contain the
// IDs of own transfers and of financing.
func NewLedger(transactions []apiclient.Transaction, ownTransfers, financing map[string]bool) *Ledger {
	l := &Ledger{Rows: make([]Row, len(transactions))}
	keys := map[string]string{}
	for i := range transactions {
		t := &transactions[i]
		key, known := keys[t.CounterpartyName]
		if !known {
			key = unique.Make(counterparty.Key(t.CounterpartyName)).Value() // one copy for all ledgers
			keys[t.CounterpartyName] = key
		}
		purpose := Operating
		switch {
		case ownTransfers[t.ID]:
			purpose = OwnTransfer
		case financing[t.ID]:
			purpose = Financing
		}
		l.Rows[i] = Row{Transaction: t, Key: key, Purpose: purpose}
	}
	return l
}

// IDs returns the IDs of the rows with the given indices.
func (l *Ledger) IDs(rows []int) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = l.Rows[row].ID
	}
	return ids
}
