package bookrules

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarmac/internal/money"
	"tarmac/service/accounts"
	"tarmac/service/cashnote"
)

// ErrOverflow is returned if a sum in minor units overflows 64 bits.
var ErrOverflow = errors.New("the books add up to more than can be counted")

// AccountState is an account with its balance according to the imported statements.
type AccountState struct {
	OwnAccount
	Balance *Balance // result of BookedBalance; nil if unknown
	// Quote is the newest exchange rate to the currency of the cash that is not later than the day
	// for which the cash is shown, however old. It is nil if there is none or none is needed.
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
	c := conversion{currency: currency, rates: map[string]string{}, named: map[string]bool{}, unrated: map[int64]bool{}}
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
			Balance: s.Balance,
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
	byKey := make(map[int64]int, len(states))
	for i := range states {
		byKey[states[i].Key] = i
	}
	for _, t := range transfers.InTransit {
		m := &movements[t.Movement]
		at, known := byKey[m.Account]
		if t.Held && known && states[at].isCash() {
			before := holding
			c.add(&holding, &states[at], m.Minor, -1)
			if n, found := accountShares[m.Account]; found {
				shares[n].HoldingCents += holding - before
			}
		}
	}
	for account, n := range accountShares {
		shares[n].Unrated = c.unrated[account]
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
	named    map[string]bool   // the same labels
	unrated  map[int64]bool    // keys of these accounts
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
			c.unrated[s.Key] = true
			if label := s.Label() + " in " + s.Currency; !c.named[label] {
				c.without, c.named[label] = append(c.without, label), true
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
// the lines on covered days after it. Of several balances of one day, the last is the one after the
// day's last line, in whatever order the files were imported. merged is the result of Merge, which
// is ordered by day. BookedBalance returns false if no statement has a balance or if the sum
// overflows.
func BookedBalance(merged []Merged, contents []Content) (Balance, bool) {
	p, points := newProver(merged, contents)
	if len(points) == 0 {
		return Balance{}, false
	}
	last := 0
	for i := range points {
		if isLater(points, i, last) {
			last = i
		}
	}
	balance := Balance{Day: points[last].night, Minor: points[last].Minor}
	if span, more := spanOf(p.covered, balance.Day+1); more {
		balance.Day = span.Last
	}
	known := true
	for _, m := range merged[p.index(points[last].night+1):p.index(balance.Day+1)] {
		if balance.Minor, known = money.Add(balance.Minor, m.Minor); !known {
			return Balance{}, false
		}
	}
	balance.Minor, known = money.Add(balance.Minor, followed(points, last))
	return balance, known
}

// isLater reports whether point i is a later balance than point j. Of balances of a day, it is the
// one that has all lines of the day before it, or else the one that continues the other. If neither
// is known, it is the one with more lines before it.
func isLater(points []point, i, j int) bool {
	p, other := &points[i], &points[j]
	if order := cmp.Or(cmp.Compare(p.night, other.night), cmp.Compare(p.lateness(), other.lateness())); order != 0 {
		return order > 0
	}
	if ends := endsDay(points, i); ends != endsDay(points, j) {
		return ends
	}
	if p.chain != nil && p.chain == other.chain {
		if leads := p.chain.leads(other.Minor, p.Minor); leads != p.chain.leads(p.Minor, other.Minor) {
			return leads
		}
	}
	return cmp.Or(cmp.Compare(p.lines, other.lines), cmp.Compare(p.Minor, other.Minor)) > 0
}

// endsDay reports whether a balance has all lines of its day before it, by the newest balance of an
// earlier day or by the chain of the day.
func endsDay(points []point, at int) bool {
	p := &points[at]
	earlier, _ := slices.BinarySearchFunc(points, p.Day, func(p point, day Day) int { return cmp.Compare(p.Day, day) })
	if earlier > 0 && points[earlier-1].fits(p.Minor-p.between) {
		return true
	}
	return p.chain != nil && p.chained == p.between
}

// followed returns the sum of the lines that followed a balance on its day. It is 0 unless another
// balance fits only if lines did. Balances of earlier days decide first, the newest of them before
// others, because those of the day may themselves be followed by lines.
func followed(points []point, at int) int64 {
	p := &points[at]
	if p.chain == nil && len(p.own) == 0 {
		return 0 // stated without lines of the day, by the user for example
	}
	for i := at - 1; i >= 0; i-- {
		for _, sum := range p.possible() {
			if points[i].Day < p.Day && points[i].fits(p.Minor-sum) {
				return p.between - sum
			}
		}
	}
	for _, sum := range p.possible() {
		for i := range points {
			if p.chain == nil && i != at && points[i].fits(p.Minor-sum) {
				return p.between - sum
			}
		}
	}
	return 0
}
