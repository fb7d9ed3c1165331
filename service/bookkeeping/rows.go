package bookkeeping

import (
	"cmp"
	"fmt"
	"slices"

	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// findTransfers finds the lines of all accounts that are transfers between own accounts. It sets
// p.movements and p.transfers.
func (p *publisher) findTransfers(span books.Span) error {
	accounts := make([]books.Account, len(p.accounts))
	own := make([]books.OwnAccount, len(p.accounts))
	p.own = map[int64]books.OwnAccount{}
	for n := range p.accounts {
		a := &p.accounts[n]
		accounts[n] = a.Account
		own[n] = books.OwnAccount{Account: a.Account, Covered: books.Coverage(a.Role, a.contents)}
		if balance, known := books.BookedBalance(a.merged, a.contents); known {
			own[n].BalanceDay = balance.Day
		}
		var err error
		if own[n].Rates, err = p.rates(a, span); err != nil {
			return err
		}
		p.own[a.Key] = own[n]
	}
	finder := books.NewEvidenceFinder(accounts)
	p.movement = map[int64]int{}
	for n := range p.accounts {
		a := &p.accounts[n]
		err := p.lines(a, span, func(m books.Merged, l bank.Line) error {
			p.movement[m.Line] = len(p.movements)
			evidence := finder.Find(a.Account, l, p.Rules.Apply(a.Account, l))
			p.movements = append(p.movements, books.Movement{
				Account: a.Key, Merged: m, Original: l.Original, Evidence: evidence,
			})
			return nil
		})
		if err != nil {
			return err
		}
	}
	p.transfers = books.FindTransfers(own, p.movements)
	p.lost = map[int]int64{}
	for _, pair := range p.transfers.Pairs {
		p.lost[pair.In] = pair.LostMinor
	}
	return nil
}

// lines calls visit for each merged line of an account in a span of days, with the text of the
// line.
func (p *publisher) lines(a *derived, span books.Span, visit func(books.Merged, bank.Line) error) error {
	merged := within(a.merged, span)
	if len(merged) == 0 {
		return nil
	}
	byLine := make(map[int64]books.Merged, len(merged))
	for _, m := range merged {
		byLine[m.Line] = m
	}
	// The text may come from a file that gives the line another date.
	around := books.Span{First: span.First - books.MaxShift, Last: span.Last + books.MaxShift}
	return p.tx.BookLines(p.Org, a.Key, around, func(l books.Line) error {
		m, ok := byLine[l.Key]
		if !ok {
			return nil
		}
		return visit(m, l.Line)
	})
}

// rates returns the exchange rates for the lines of an account in a span of days. It returns none
// for an account in US dollars.
func (p *publisher) rates(a *derived, span books.Span) ([]bank.Rate, error) {
	if a.Currency == "USD" {
		return nil, nil
	}
	return p.tx.BookRates(p.Org, a.Currency, books.Span{First: span.First - books.MaxRateAge, Last: span.Last})
}

// rows returns the transactions of all accounts in a span of days. They are ordered by day, then
// account, then line number in the file.
func (p *publisher) rows(span books.Span) ([]ledger.Transaction, error) {
	type placed struct {
		ledger.Transaction
		account, place int
	}
	var all []placed
	for n := range p.accounts {
		a := &p.accounts[n]
		rates, err := p.rates(a, span)
		if err != nil {
			return nil, err
		}
		err = p.lines(a, span, func(m books.Merged, l bank.Line) error {
			row, ok := p.row(a, m, l, rates)
			if !ok {
				return nil
			}
			all = append(all, placed{row, n, l.Place})
			if err := row.Validate(); err != nil {
				return fmt.Errorf("line %d of %s: %w", l.Place, ShortNumber(a.Number), err)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
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

// row returns the transaction for a line. It returns false for one side of a transfer between own
// accounts, which is not a transaction, unless money was lost in the transfer.
func (p *publisher) row(a *derived, m books.Merged, l bank.Line, rates []bank.Rate) (ledger.Transaction, bool) {
	movement := p.movement[m.Line]
	treatment := p.transfers.Treatments[movement]
	switch treatment {
	case books.IsRow, books.IsOneSided:
		outcome := p.Rules.Apply(a.Account, l)
		if treatment == books.IsOneSided {
			outcome.Category = ledger.CategoryInternalTransfer
		}
		return books.Row(a.Account, m, l, outcome, rates), true
	}
	if lost := p.lost[movement]; lost != 0 {
		return books.LossRow(a.Account, m, lost, rates), true
	}
	return ledger.Transaction{}, false
}

// within returns the lines that are in a span of days.
func within(merged []books.Merged, span books.Span) []books.Merged {
	from, _ := slices.BinarySearchFunc(merged, span.First, compareDay)
	to, _ := slices.BinarySearchFunc(merged, span.Last+1, compareDay)
	return merged[from:to]
}

func compareDay(m books.Merged, day books.Day) int { return cmp.Compare(m.Day, day) }
