package bookkeeping

import (
	"cmp"
	"slices"

	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// rows returns the transactions of all accounts in a span of days. They are ordered by day, then
// account, then line number in the file.
func (j *journal) rows(span books.Span) ([]ledger.Transaction, error) {
	type placed struct {
		ledger.Transaction
		account, place int
	}
	var all []placed
	err := j.visit(span, func(e entry) error {
		if e.isRow {
			all = append(all, placed{e.row, e.account, e.text.Place})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(x, y placed) int {
		return cmp.Or(x.Date.Compare(y.Date), cmp.Compare(x.account, y.account), cmp.Compare(x.place, y.place),
			cmp.Compare(x.ID, y.ID))
	})
	rows := make([]ledger.Transaction, len(all))
	for n := range all {
		rows[n] = all[n].Transaction
	}
	return rows, nil
}

// row returns the transaction for the line a.merged[at], whose text is l. It returns false for one
// side of a transfer between own accounts, which is not a transaction, unless money was lost in the
// transfer.
func (j *journal) row(a *derived, at int, l bank.Line, rates []bank.Rate) (ledger.Transaction, bool) {
	m, movement := a.merged[at], a.firstMovement+at
	treatment := j.transfers.Treatments[movement]
	switch treatment {
	case books.IsRow, books.IsOneSided:
		outcome := j.rules.Apply(a.Account, l)
		if treatment == books.IsOneSided {
			outcome.Category = ledger.CategoryInternalTransfer
		}
		row := books.Row(a.Account, m, l, outcome, rates)
		if row.Category == "" && j.financing[row.ID] {
			row.Category = ledger.CategoryFinancing
		}
		row.HasReceipt = j.receipts[row.ID]
		return row, true
	}
	if lost := j.lost[movement]; lost != 0 {
		return books.LossRow(a.Account, m, lost, rates), true
	}
	return ledger.Transaction{}, false
}
