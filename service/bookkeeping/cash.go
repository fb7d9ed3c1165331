package bookkeeping

import (
	"fmt"
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// setCash stores the total cash of the books as the account balance that the API returns. If the
// books have no accounts, the API has no balance to return. If the balance of an account is
// unknown, requests for the total fail, because the total would be too small.
func (p *publisher) setCash() error {
	if len(p.matching.accounts) == 0 {
		return p.storeCash(false, bookrules.Cash{Known: true}, bookrules.Cash{})
	}
	imports, err := p.matching.books.BookImports(p.matching.books.Org)
	if err != nil {
		return err
	}
	var imported time.Time
	for _, i := range imports {
		if i.At.After(imported) {
			imported = i.At
		}
	}
	cash, err := p.cashIn(bookrules.USD, imported)
	if err != nil {
		return err
	}
	reported := bookrules.Cash{}
	if p.matching.books.currency != bookrules.USD {
		if reported, err = p.cashIn(p.matching.books.currency, imported); err != nil {
			return err
		}
	}
	return p.storeCash(true, cash, reported)
}

// cashIn returns the cash in a currency. imported is the time of the newest import.
func (p *publisher) cashIn(currency string, imported time.Time) (cash bookrules.Cash, err error) {
	states := make([]bookrules.AccountState, len(p.matching.accounts))
	for n := range p.matching.accounts {
		if states[n], err = p.state(&p.matching.accounts[n], currency); err != nil {
			return cash, err
		}
	}
	return bookrules.CashOf(states, p.matching.movements, p.matching.transfers, imported, currency)
}

// storeCash stores the cash in US dollars and the reporting currency, and the notes about it. If
// that is the US dollar, reported is the zero value.
func (p *publisher) storeCash(open bool, cash, reported bookrules.Cash) error {
	if err := p.tx.SetAccount(p.matching.books.Org, open, cash.Balance); err != nil {
		return err
	}
	if err := p.tx.SetAccountFault(p.matching.books.Org, !cash.Known); err != nil {
		return err
	}
	shares := cash.Shares
	if !cash.Known {
		shares = emptyShares(reported.Shares)
	}
	if err := p.tx.SetBookCashShares(p.matching.books.Org, shares, reported.Shares); err != nil {
		return err
	}
	return p.tx.SetBookCash(p.matching.books.Org, noteOf(cash), noteOf(reported), p.matching.storedAssumed())
}

func noteOf(cash bookrules.Cash) store.BookCash {
	if !cash.Known {
		return store.BookCash{Unknown: cash.Note}
	}
	return store.BookCash{Note: cash.Note}
}

// emptyShares returns shares without amounts, of cash that is not known in US dollars.
func emptyShares(shares []bookrules.CashShare) []bookrules.CashShare {
	empty := slices.Clone(shares)
	for n := range empty {
		empty[n].AvailableCents, empty[n].PendingCents, empty[n].HoldingCents = 0, 0, 0
	}
	return empty
}

// state returns the booked balance of an account, its pending amount, the last day that its
// statements cover, and the exchange rate for its balance.
func (p *publisher) state(a *derived, currency string) (bookrules.AccountState, error) {
	s := bookrules.AccountState{OwnAccount: p.matching.own[a.Key]}
	if balance, known := bookrules.BookedBalance(a.merged, a.contents); known {
		s.Balance = &balance
	}
	for _, c := range a.contents {
		for _, span := range c.Covered {
			s.LastStatement = max(s.LastStatement, span.Last)
		}
	}
	s.PendingMinor = p.matching.books.pending(a)
	if s.Balance == nil {
		return s, nil
	}
	quote, known, err := p.matching.books.quoteOf(a.Currency, currency, p.matching.books.shownDay(s.Balance.Day))
	if known {
		s.Quote = &quote
	}
	return s, err
}

// shownDay returns the day for which cash shows a balance of an earlier or the same day: the newest
// day of any statement.
func (l *ledgerBooks) shownDay(balance bookrules.Day) bookrules.Day {
	if l.newest == 0 {
		for n := range l.statements {
			l.newest = max(l.newest, l.statements[n].Covered.Last)
		}
		l.newest = min(l.newest, bookrules.DayOf(civil.Of(l.Now())))
	}
	return max(balance, l.newest)
}

// quoteOf returns the newest exchange rate between two currencies that is not later than day,
// however old. It returns false if there is none or none is needed.
func (l *ledgerBooks) quoteOf(from, to string, day bookrules.Day) (q bookrules.Quote, known bool, err error) {
	if from == to {
		return q, false, nil
	}
	rates := bookrules.Rates{}
	for _, currency := range [...]string{from, to} {
		if currency == bookrules.USD {
			continue
		}
		// Rates of all days are needed only if the newest two are not of one date.
		newest, err := l.NewestBookRate(l.Org, currency, day)
		if err != nil || newest == nil {
			return q, false, err
		}
		rates[currency] = []bank.Rate{*newest}
	}
	if q, known = bookrules.QuoteAt(from, to, day, rates); known {
		return q, true, nil
	}
	if rates, err = l.ratesOf(bookrules.Span{Last: day}, from, to); err == nil {
		q, known = bookrules.QuoteAt(from, to, day, rates)
	}
	return q, known, err
}

// pending returns the sum of the current pending lines of an account, in minor units with sign.
func (l *ledgerBooks) pending(a *derived) (minor int64) {
	for _, s := range l.newestStatements(a) {
		minor += s.PendingMinor
	}
	return minor
}

// newestStatements returns the statements of an account whose pending lines are current: those of
// the file that was imported last, or those of a connection that has been read since. A connection
// counts as read since if the file covers no later day, because a connection knows its pending
// lines at all times, and a file may not have them.
func (l *ledgerBooks) newestStatements(a *derived) (statements []bookrules.Statement) {
	newest, lastDay := int64(noFile), bookrules.Day(0)
	for n, file := range a.files {
		if l.files[file].Connection == "" && file >= newest {
			newest, lastDay = file, a.contents[n].LastDay()
		}
	}
	for n, file := range a.files {
		day, connected := a.contents[n].LastDay(), l.files[newest].Connection != ""
		if l.files[file].Connection != "" && (day > lastDay || day == lastDay && !connected) {
			newest, lastDay = file, day
		}
	}
	for _, s := range l.stored(a.Key).statements {
		if s.File == newest {
			statements = append(statements, s)
		}
	}
	return statements
}

// unratedDay returns the day of the account's balance if cash in a currency needs an exchange rate
// for it, and otherwise 0. It is 0 too while the account's currency is unknown.
func (a *derived) unratedDay(currency string) bookrules.Day {
	balance, known := bookrules.BookedBalance(a.merged, a.contents)
	counts := a.Role != bookrules.Closed && a.Role != bookrules.Excluded
	if !known || balance.Minor == 0 || a.Currency == "" || a.Currency == currency || !counts {
		return 0
	}
	return balance.Day
}

// nameMissingRate reports that an account's balance cannot be converted to the currency of reports,
// because there is no exchange rate of that day or earlier. The day is the result of unratedDay.
func (i *importing) nameMissingRate(l *ledgerBooks, a bookrules.Account, day bookrules.Day) error {
	if day == 0 {
		return nil
	}
	day = l.shownDay(day)
	_, known, err := l.quoteOf(a.Currency, l.currency, day)
	if err != nil || known {
		return err
	}
	for n := range i.read {
		if f := &i.read[n]; f.has(a.Key) {
			report := &i.report.Files[f.report]
			report.Problems = append(report.Problems, fmt.Sprintf("%s: there is no exchange rate for %s up to %s, so that "+
				"cash leaves this account out; import rates of the European Central Bank", ShortNumber(a.Number), a.Currency,
				day.Date()))
			break
		}
	}
	return nil
}
