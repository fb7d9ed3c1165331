package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// entry is a line of an account in the journal.
type entry struct {
	account  int // index in journal.accounts
	movement int // index in journal.movements
	merged   bookrules.Merged
	text     bank.Line
	row      ledger.Transaction // transaction for the line; valid only if isRow is set
	isRow    bool
}

// entries holds the lines of all accounts in a span of days, with the exchange rates for them.
type entries struct {
	all       []entry
	valuation bookrules.Valuation
}

// entries returns the lines of all accounts in a span of days with their transactions. They are
// ordered by day, then account, then line number in the file, whatever the order of the imports.
func (j *journal) entries(span bookrules.Span) ([]entry, error) {
	e, err := j.readEntries(span)
	if err != nil {
		return nil, err
	}
	return e.all, j.compose(e)
}

// readEntries returns the lines of all accounts in a span of days, without their transactions.
func (j *journal) readEntries(span bookrules.Span) (entries, error) {
	lines := 0
	for n := range j.accounts {
		from, to := indexes(j.accounts[n].merged, span)
		lines += to - from
	}
	e := entries{all: make([]entry, 0, lines)}
	var err error
	if e.valuation, err = j.valuationOf(span); err != nil {
		return e, err
	}
	for n := range j.accounts {
		a := &j.accounts[n]
		err := j.lines(a, span, func(at int, l bank.Line) error {
			e.all = append(e.all, entry{account: n, movement: a.firstMovement + at, merged: a.merged[at], text: l})
			return nil
		})
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// compose sets the transactions of entries, and orders the entries as the method entries does. It
// does not use the database.
func (j *journal) compose(e entries) error {
	for n := range e.all {
		one := &e.all[n]
		if one.row, one.isRow = j.row(one, e.valuation); !one.isRow {
			continue
		}
		if err := one.row.Validate(); err != nil {
			return fmt.Errorf("line %d of %s: %w", one.text.Place, ShortNumber(j.accounts[one.account].Number), err)
		}
	}
	slices.SortFunc(e.all, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.merged.Day, y.merged.Day), j.compareAccounts(x.account, y.account),
			cmp.Compare(x.text.Place, y.text.Place), cmp.Compare(x.merged.Minor, y.merged.Minor),
			cmp.Compare(x.merged.Ordinal, y.merged.Ordinal))
	})
	return nil
}

// row returns the transaction for a line. It returns false for one side of a transfer between own
// accounts, which is not a transaction, unless money was lost in the transfer. All input of this
// function must be in the digest of publisher.inputs.
func (j *journal) row(e *entry, v bookrules.Valuation) (ledger.Transaction, bool) {
	account, treatment := j.accounts[e.account].Account, j.transfers.Treatments[e.movement]
	switch treatment {
	case bookrules.IsRow, bookrules.IsOneSided, bookrules.IsSuspected:
		outcome := j.rules.Apply(account, e.text)
		if treatment != bookrules.IsRow {
			outcome.Category = ledger.CategoryInternalTransfer
		}
		row := bookrules.Row(account, e.merged, e.text, j.nameIn(e), outcome, v)
		if row.Category == "" && j.financing[row.ID] {
			row.Category = ledger.CategoryFinancing
		}
		row.HasReceipt = j.receipts[row.ID]
		return row, true
	}
	if lost := j.lost[e.movement]; lost != 0 {
		return bookrules.LossRow(account, e.merged, lost, v), true
	}
	return ledger.Transaction{}, false
}

// nameIn returns the name in the text of a line, as far as it is shown.
func (j *journal) nameIn(e *entry) string { return j.accounts[e.account].facts[e.merged.Note].shown }
