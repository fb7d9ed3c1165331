package books

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/statements/bank"
)

// ErrOverflow is returned if a sum does not fit into 64 bits of minor units.
var ErrOverflow = errors.New("the books add up to more than can be counted")

// AccountState is an account with what its statements say about its money.
type AccountState struct {
	OwnAccount
	Balance       *Balance // from BookedBalance; nil if unknown
	PendingMinor  int64    // sum of the pending lines of its newest import
	LastStatement Day      // last day of its newest statement
}

// Cash is the organization's cash as its books have it.
type Cash struct {
	// Balance holds zeros and the time only, unless Known.
	Balance accounts.Balance
	Known   bool // the balances of all accounts are known
	Partial bool // accounts without an exchange rate are left out
	Note    string
}

// CashOf returns the cash of all accounts: available are the booked balances of operating and
// savings accounts less what cards owe, holding is money in transit. movements and transfers are
// those of FindTransfers, imported is the time of the newest import. It returns ErrOverflow for
// sums beyond 64 bits.
func CashOf(states []AccountState, movements []Movement, transfers Transfers, imported time.Time) (Cash, error) {
	c := conversion{rates: map[string]string{}}
	var available, pending, holding int64
	var unknown []string
	synced := imported
	for i := range states {
		s := &states[i]
		if !s.isCash() {
			continue
		}
		if end := s.LastStatement.Date().AddDays(1).Time().Add(-time.Second); end.Before(synced) {
			synced = end
		}
		if s.Balance == nil {
			unknown = append(unknown, s.Label())
			continue
		}
		c.add(&available, &s.OwnAccount, s.Balance.Minor, s.Balance.Day)
		c.add(&pending, &s.OwnAccount, s.PendingMinor, s.Balance.Day)
	}
	for _, t := range transfers.InTransit {
		m := &movements[t.Movement]
		at := slices.IndexFunc(states, func(s AccountState) bool { return s.Key == m.Account })
		if t.Held && at >= 0 && states[at].isCash() {
			c.take(&holding, &states[at].OwnAccount, m.Minor, m.Day)
		}
	}
	cash := Cash{Known: len(unknown) == 0, Partial: len(c.without) > 0, Note: c.note()}
	cash.Balance.SyncedAt = synced
	switch {
	case c.overflow:
		return Cash{}, ErrOverflow
	case !cash.Known:
		cash.Note = fmt.Sprintf("The balance of %s is not known: give one with --balance AMOUNT@DATE.",
			strings.Join(unknown, " and "))
		return cash, nil
	}
	cash.Balance.AvailableCents, cash.Balance.HoldingCents, cash.Balance.PendingCents = available, holding, pending
	return cash, nil
}

// isCash reports whether the account's balance counts as cash, or as what a card owes.
func (s *AccountState) isCash() bool { return s.Role != Closed && s.Role != Excluded }

// Label returns the account's bank or name with the last characters of its number.
func (a Account) Label() string {
	number := squeeze(a.Number)
	if len(number) > lastCharacters {
		number = "…" + number[len(number)-lastCharacters:]
	}
	for _, name := range [...]string{a.Bank, a.Name} {
		if letters(name) > 0 {
			return strings.TrimSpace(name + " " + number)
		}
	}
	return number
}

// conversion adds up amounts in US cents by the newest rates.
type conversion struct {
	rates    map[string]string // date of the rate of each currency
	without  []string          // accounts without a rate
	overflow bool
}

func (c *conversion) add(sum *int64, a *OwnAccount, minor int64, day Day) {
	c.change(sum, a, minor, day, 1)
}

func (c *conversion) take(sum *int64, a *OwnAccount, minor int64, day Day) {
	c.change(sum, a, minor, day, -1)
}

// change adds an amount with a sign to a sum, by the account's newest rate at or before a day.
func (c *conversion) change(sum *int64, a *OwnAccount, minor int64, day Day, sign int64) {
	cents, ok := minor, true
	if a.Currency != "USD" {
		var rate bank.Rate
		if rate, ok = RateAt(a.Rates, day); !ok {
			if label := a.Label() + " in " + a.Currency; minor != 0 && !slices.Contains(c.without, label) {
				c.without = append(c.without, label)
			}
			return
		}
		if date := rate.Date.String(); date > c.rates[a.Currency] {
			c.rates[a.Currency] = date
		}
		cents, ok = ConvertToUSD(minor, rate)
	}
	total, fits := money.Add(*sum, sign*cents)
	if !ok || !fits || cents == -cents && cents != 0 {
		c.overflow = true
		return
	}
	*sum = total
}

// note names the dates of the rates and the accounts without one.
func (c *conversion) note() string {
	var sentences []string
	for currency, date := range c.rates {
		sentences = append(sentences, fmt.Sprintf("%s at the rate of %s.", currency, date))
	}
	slices.Sort(sentences)
	if len(c.without) > 0 {
		sentences = append(sentences, fmt.Sprintf("Without %s: there is no exchange rate.", strings.Join(c.without, " and ")))
	}
	return strings.Join(sentences, " ")
}

// BookedBalance returns the newest balance of an account: the last one that its statements state,
// with the lines of the covered days after it. merged are the lines of Merge, ordered by day. It
// returns false if no statement states a balance, or if the sum does not fit into 64 bits.
func BookedBalance(merged []Merged, contents []Content) (Balance, bool) {
	newest, known := Balance{}, false
	covered := coverage(contents)
	for i := range contents {
		for _, b := range contents[i].Balances {
			if b.Opening {
				// Banks date it by the first day of the statement or by the day before.
				if _, in := spanOf(contents[i].Covered, b.Day); in {
					b.Day--
				}
			}
			if !known || b.Day > newest.Day || b.Day == newest.Day && newest.Opening && !b.Opening {
				newest, known = b, true
			}
		}
	}
	if !known {
		return Balance{}, false
	}
	balance := Balance{Day: newest.Day, Minor: newest.Minor}
	if span, more := spanOf(covered, newest.Day+1); more {
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
