package bookkeeping

import (
	"slices"
	"time"

	"tarmac/service/accounts"
	"tarmac/service/books"
)

// setCash stores the total cash of the books as the account balance that the API returns. Without
// accounts in the books, the organization has no account in the API. If the balance of an account
// is unknown, requests for the total fail, because it would be too small.
func (p *publisher) setCash() error {
	if len(p.accounts) == 0 {
		return p.tx.SetAccount(p.Org, false, accounts.Balance{})
	}
	imports, err := p.BookImports(p.Org)
	if err != nil {
		return err
	}
	var imported time.Time
	for _, i := range imports {
		if i.At.After(imported) {
			imported = i.At
		}
	}
	states := make([]books.AccountState, len(p.accounts))
	for n := range p.accounts {
		if states[n], err = p.state(&p.accounts[n]); err != nil {
			return err
		}
	}
	cash, err := books.CashOf(states, p.movements, p.transfers, imported)
	if err != nil {
		return err
	}
	if err := p.tx.SetAccount(p.Org, true, cash.Balance); err != nil {
		return err
	}
	return p.tx.SetAccountFault(p.Org, !cash.Known)
}

// state returns the booked balance of an account, its pending amount, the last day that its
// statements cover, and the exchange rates for its balance.
func (p *publisher) state(a *derived) (books.AccountState, error) {
	s := books.AccountState{OwnAccount: p.own[a.Key]}
	if balance, known := books.BookedBalance(a.merged, a.contents); known {
		s.Balance = &balance
	}
	for _, c := range a.contents {
		for _, span := range c.Covered {
			s.LastStatement = max(s.LastStatement, span.Last)
		}
	}
	s.PendingMinor = p.pending(a)
	// A balance may be later than all lines, so it needs the rates of its own day.
	if s.Balance != nil {
		span := books.Span{First: s.Balance.Day, Last: s.Balance.Day}
		rates, err := p.rates(a, span)
		if err != nil {
			return s, err
		}
		s.Rates = append(s.Rates, rates...)
	}
	return s, nil
}

// pending returns the sum of the pending lines of an account in the file that was read last, in
// minor units with sign.
func (l *ledgerBooks) pending(a *derived) (minor int64) {
	for _, s := range l.newestStatements(a) {
		minor += s.PendingMinor
	}
	return minor
}

// newestStatements returns the statements of an account in the file that was read last.
func (l *ledgerBooks) newestStatements(a *derived) (statements []books.Statement) {
	for _, s := range l.statements {
		if s.Account == a.Key && s.File == slices.Max(a.files) {
			statements = append(statements, s)
		}
	}
	return statements
}
