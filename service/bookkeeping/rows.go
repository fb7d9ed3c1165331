package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// entry is a line of an account in the matching.
type entry struct {
	account  int // index in matching.accounts
	movement int // index in matching.movements
	merged   *bookrules.Merged
	place    int                 // bank.Line.Place
	text     *bank.Line          // nil after composing early
	row      *ledger.Transaction // transaction for the line; nil if it has none
}

// entries holds the lines of all accounts in a span of days, with the exchange rates for them.
type entries struct {
	all       []entry
	valuation bookrules.Valuation
	rows      []ledger.Transaction // result of compose, in the order of the entries
	early     bool                 // true if each transaction is composed as soon as its line is read
}

// entries returns the lines of all accounts in a span of days with their transactions. They are
// ordered by day, then account, then line number in the file, whatever the order of the imports.
func (mt *matching) entries(span bookrules.Span) ([]entry, error) {
	e, err := mt.readEntries(span, false)
	if err != nil {
		return nil, err
	}
	return e.all, mt.compose(&e)
}

// readEntries returns the lines of all accounts in a span of days, without their transactions. If
// early is true, it composes these and drops the texts of lines, which take more memory.
func (mt *matching) readEntries(span bookrules.Span, early bool) (entries, error) {
	lines := 0
	for n := range mt.accounts {
		from, to := indexes(mt.accounts[n].merged, span)
		lines += to - from
	}
	e := entries{all: make([]entry, 0, lines), early: early}
	if early {
		e.rows = make([]ledger.Transaction, 0, lines)
	}
	var err error
	if e.valuation, err = mt.valuationOf(span); err != nil {
		return e, err
	}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		err := mt.books.lines(a, span, func(at int, l bank.Line) error {
			one := entry{
				account: n, movement: a.firstMovement + at, merged: &a.merged[at], place: l.Place, text: &l,
			}
			e.all = append(e.all, one)
			if !early {
				return nil
			}
			err := mt.composeRow(&e, &e.all[len(e.all)-1])
			e.all[len(e.all)-1].text = nil
			return err
		})
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// compose orders the entries as the method entries does, and sets their transactions. It does not
// use the database.
func (mt *matching) compose(e *entries) error {
	compare := func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.merged.Day, y.merged.Day), mt.compareAccounts(x.account, y.account),
			cmp.Compare(x.place, y.place), cmp.Compare(x.merged.Minor, y.merged.Minor),
			cmp.Compare(x.merged.Ordinal, y.merged.Ordinal))
	}
	ordered := slices.IsSortedFunc(e.all, compare)
	if !ordered {
		slices.SortFunc(e.all, compare)
	}
	if e.early && ordered {
		return nil
	}
	e.rows = make([]ledger.Transaction, 0, len(e.all))
	for n := range e.all {
		switch one := &e.all[n]; {
		case !e.early:
			if err := mt.composeRow(e, one); err != nil {
				return err
			}
		case one.row != nil:
			e.rows = append(e.rows, *one.row)
			one.row = &e.rows[len(e.rows)-1]
		}
	}
	return nil
}

// composeRow sets the transaction of an entry and adds it to e.rows.
func (mt *matching) composeRow(e *entries, one *entry) error {
	row, isRow := mt.row(one, e.valuation)
	if !isRow {
		return nil
	}
	if err := row.Validate(); err != nil {
		return fmt.Errorf("line %d of %s: %w", one.place, ShortNumber(mt.accounts[one.account].Number), err)
	}
	e.rows = append(e.rows, row)
	one.row = &e.rows[len(e.rows)-1]
	return nil
}

// row returns the transaction for a line. It returns false for one side of a transfer between own
// accounts, which is not a transaction, unless money was lost in the transfer. All input of this
// function must be in the digest of publisher.inputs.
func (mt *matching) row(e *entry, v bookrules.Valuation) (ledger.Transaction, bool) {
	account, treatment := mt.accounts[e.account].Account, mt.transfers.Treatments[e.movement]
	switch treatment {
	case bookrules.IsRow, bookrules.IsOneSided, bookrules.IsSuspected:
		outcome := mt.books.rules.Apply(account, *e.text)
		if treatment != bookrules.IsRow {
			outcome.Category = ledger.CategoryInternalTransfer
		}
		row := bookrules.Row(account, *e.merged, *e.text, mt.nameIn(e), outcome, v)
		if row.Category == "" && mt.financing[row.ID] {
			row.Category = ledger.CategoryFinancing
		}
		row.Category = cmp.Or(row.Category, mt.paidOut[e.movement], bookrules.CategoryOf(*e.text))
		row.HasReceipt = mt.receipts[row.ID]
		return row, true
	}
	if lost := mt.lost[e.movement]; lost != 0 {
		return bookrules.LossRow(account, *e.merged, lost, v), true
	}
	return ledger.Transaction{}, false
}

// nameIn returns the name in the text of a line, as far as it is shown.
func (mt *matching) nameIn(e *entry) string {
	return mt.accounts[e.account].facts.at(e.merged.Note).shown
}
