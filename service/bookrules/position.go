package bookrules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/internal/cashnote"
	"tarmac/internal/money"
	"tarmac/service/accounts"
)

// ErrOverflow is returned if a sum in minor units overflows 64 bits.
var ErrOverflow = errors.New("the books add up to more than can be counted")

// AccountState is an account with its balance according to the imported statements.
type AccountState struct {
	OwnAccount
	Balance *Balance // result of BookedBalance; nil if unknown
	// Quote is the newest exchange rate to the currency of the cash that is not later than the
	// account's balance, however old. It is nil if there is none or none is needed.
	Quote         *Quote
	PendingMinor  int64 // sum of the account's current pending lines
	LastStatement Day   // last day of the newest statement; 0 if no statement covers a day
}

// Cash is the organization's cash according to its books, in one currency.
type Cash struct {
	// Balance is the cash in minor units. If Known is false, only the time of the balance is set.
	Balance accounts.Balance
	// Known is true if the balances of all accounts are known, and at least one of those that are
	// not zero has an exchange rate.
	Known   bool
	Partial bool // true if accounts without an exchange rate are left out
	// Note has sentences about the exchange rates that were used and about accounts that are left
	// out. If Known is false, Note says why the cash is unknown, as a part of a sentence.
	Note   string
	Shares []CashShare // what each account adds; empty if Known is false
}

// CashOf returns the cash of all accounts in a currency. Available cash is the sum of the booked
// balances of operating and savings accounts, minus the amounts owed on cards. Cash in transit
// between accounts counts as held. transfers is the result of FindTransfers for movements, and
// imported the time of the newest import. It returns ErrOverflow if a sum overflows 64 bits.
func CashOf(
	states []AccountState, movements []Movement, transfers Transfers, imported time.Time, currency string,
) (Cash, error) {
	c := conversion{currency: currency, rates: map[string]string{}}
	var available, pending, holding int64
	valued := false // true if a balance that is not zero is known in the currency
	var unknown []string
	var shares []CashShare
	accountShares := map[int64]int{} // indexes in shares by account
	synced := imported
	for i := range states {
		s := &states[i]
		if !s.isCash() {
			continue
		}
		share := CashShare{
			Identity: s.Identity, Currency: s.Currency, Label: s.Label(), LastStatement: s.LastStatement, SyncedAt: imported,
		}
		end := s.LastStatement.Date().AddDays(1).Time().Add(-time.Second)
		if s.LastStatement > 0 && end.Before(imported) {
			share.SyncedAt = end
		}
		if share.SyncedAt.Before(synced) {
			synced = share.SyncedAt
		}
		if s.Balance == nil {
			unknown = append(unknown, s.Label())
			continue
		}
		share.AvailableCents, share.PendingCents = available, pending
		c.add(&available, s, s.Balance.Minor, 1)
		valued = valued || s.Balance.Minor != 0 && (s.Currency == currency || s.Quote != nil)
		c.add(&pending, s, s.PendingMinor, 1)
		share.AvailableCents, share.PendingCents = available-share.AvailableCents, pending-share.PendingCents
		accountShares[s.Key] = len(shares)
		shares = append(shares, share)
	}
	for _, t := range transfers.InTransit {
		m := &movements[t.Movement]
		at := slices.IndexFunc(states, func(s AccountState) bool { return s.Key == m.Account })
		if t.Held && at >= 0 && states[at].isCash() {
			before := holding
			c.add(&holding, &states[at], m.Minor, -1)
			if n, found := accountShares[m.Account]; found {
				shares[n].HoldingCents += holding - before
			}
		}
	}
	cash := Cash{Known: len(unknown) == 0, Partial: len(c.without) > 0, Note: c.note()}
	cash.Balance.SyncedAt = synced
	switch {
	case c.overflow:
		return Cash{}, ErrOverflow
	case !cash.Known:
		cash.Note = fmt.Sprintf("the balance of %s is not known: import a statement that has one, or state it with "+
			"books balance ACCOUNT 12,340.50 2026-09-30", strings.Join(unknown, " and "))
		return cash, nil
	case len(c.without) > 0 && !valued:
		cash.Known = false
		cash.Note = fmt.Sprintf("cash is not known: there is no exchange rate for %s; import rates of the European "+
			"Central Bank", strings.Join(c.without, " and "))
		return cash, nil
	}
	cash.Balance.AvailableCents, cash.Balance.HoldingCents, cash.Balance.PendingCents = available, holding, pending
	cash.Shares = shares
	return cash, nil
}

// isCash reports whether the account's balance counts as cash. The balance of a card counts too, as
// an amount owed.
func (s *AccountState) isCash() bool { return s.Role != Closed && s.Role != Excluded }

// Label returns a name of the account with the last characters of its number. The name is the one
// that the user gave, or else the name of the bank, or else the account's name in the files. An
// account without a number has its whole name in place of the number.
func (a Account) Label() string {
	number := strings.TrimSpace(a.Number)
	if digits := squeeze(number); IsNumber(number) && len(digits) > lastCharacters {
		number = "…" + digits[len(digits)-lastCharacters:]
	}
	names := [...]string{a.Bank, a.Name}
	if a.Renamed {
		names[0] = a.Name
	}
	for _, name := range names {
		if letters(name) > 0 {
			return strings.TrimSpace(name + " " + number)
		}
	}
	return number
}

// conversion adds up amounts in one currency, converted by the newest exchange rates.
type conversion struct {
	currency string
	rates    map[string]string // maps a currency to the date of the rate that was used
	without  []string          // labels of accounts without an exchange rate
	overflow bool
}

// add adds an amount of the account s to sum, multiplied by sign. It converts the amount by the
// account's rate.
func (c *conversion) add(sum *int64, s *AccountState, minor, sign int64) {
	if minor == 0 {
		return
	}
	cents, ok := minor, true
	if s.Currency != c.currency {
		if s.Quote == nil {
			if label := s.Label() + " in " + s.Currency; !slices.Contains(c.without, label) {
				c.without = append(c.without, label)
			}
			return
		}
		if date := s.Quote.Date.String(); date > c.rates[s.Currency] {
			c.rates[s.Currency] = date
		}
		cents, ok = s.Quote.Convert(minor)
	}
	total, fits := money.Add(*sum, sign*cents)
	if !ok || !fits || cents == -cents && cents != 0 {
		c.overflow = true
		return
	}
	*sum = total
}

// note returns a text that names the dates of the exchange rates and the accounts without a rate.
func (c *conversion) note() string {
	var sentences []string
	for currency, date := range c.rates {
		sentences = append(sentences, fmt.Sprintf("%s is converted at the rate of %s.", currency, date))
	}
	slices.Sort(sentences)
	if len(c.without) > 0 {
		sentences = append(sentences, cashnote.Incomplete(c.without))
	}
	return strings.Join(sentences, " ")
}

// lateness orders the balances of a day by how late in the day they hold: an opening balance, a
// balance in a file, and a balance that was read from a connection, which is read again and again.
func (b Balance) lateness() int {
	switch {
	case b.Opening:
		return 0
	case b.Read:
		return 2
	}
	return 1
}

// BookedBalance returns the newest balance of an account: the last balance in its statements, plus
// the lines on covered days after it. merged is the result of Merge, which is ordered by day.
// BookedBalance returns false if no statement has a balance or if the sum overflows.
func BookedBalance(merged []Merged, contents []Content) (Balance, bool) {
	newest, known := Balance{}, false
	for i := range contents {
		for _, b := range contents[i].Balances {
			if b.Opening {
				// Banks date an opening balance by the first day of the statement or by the day
				// before.
				if _, in := spanOf(contents[i].Covered, b.Day); in {
					b.Day--
				}
			}
			if !known || b.Day > newest.Day || b.Day == newest.Day && b.lateness() > newest.lateness() {
				newest, known = b, true
			}
		}
	}
	if !known {
		return Balance{}, false
	}
	balance := Balance{Day: newest.Day, Minor: newest.Minor}
	if span, more := spanOf(Covered(contents), newest.Day+1); more {
		balance.Day = span.Last
	}
	for _, m := range merged {
		if m.Day > newest.Day && m.Day <= balance.Day {
			if balance.Minor, known = money.Add(balance.Minor, m.Minor); !known {
				return Balance{}, false
			}
		}
	}
	return balance, true
}
