package bookrules

import (
	"fmt"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/accounts"
)

// CashShare is what one account adds to the organization's cash, in minor units of one currency.
type CashShare struct {
	Identity, Currency string // Account.Identity and Account.Currency
	Label              string // Account.Label
	AvailableCents     int64
	PendingCents       int64
	HoldingCents       int64     // cash in transit from or to the account
	Unrated            bool      // no exchange rate: the cash leaves the account out
	Balance            *Balance  // in the account's currency; nil in shares that an earlier version stored
	LastStatement      Day       // last day of the newest statement; 0 if no statement covers a day
	SyncedAt           time.Time // time of the account's balance
}

// TotalOf returns the cash of all accounts, without its time. It returns ErrOverflow if a sum
// overflows 64 bits.
func TotalOf(shares []CashShare) (b accounts.Balance, err error) {
	for _, s := range shares {
		for sum, cents := range map[*int64]int64{
			&b.AvailableCents: s.AvailableCents, &b.PendingCents: s.PendingCents, &b.HoldingCents: s.HoldingCents,
		} {
			total, fits := money.Add(*sum, cents)
			if !fits {
				return accounts.Balance{}, ErrOverflow
			}
			*sum = total
		}
	}
	return b, nil
}

// Reading is the balance of an account that was read from a provider, in minor units.
type Reading struct {
	Number       string // number of the account in the books, or its name
	Currency     string
	CurrentMinor int64 // booked balance
	// AvailableMinor is what can be spent. The rest of the booked balance is held.
	AvailableMinor int64
	At             time.Time // zero if the balance was never read
}

// IsOf reports whether the reading is one of the account that has a share of the cash. Only
// accounts in the currency of the cash are replaced by their readings.
func (r Reading) IsOf(s CashShare, currency string) bool {
	whole, _ := UnmaskedNumber(r.Number)
	return r.Currency == currency && s.Currency == r.Currency && (s.Identity == NumberEnd(r.Number) || s.Identity == whole)
}

// newestOf returns the newest reading of the account that its statements do not replace. found is
// false if there is none.
func (s CashShare) newestOf(readings []Reading, currency string) (newest Reading, found bool) {
	for _, r := range readings {
		if r.IsOf(s, currency) && r.At.After(newest.At) && DayOf(civil.Of(r.At.UTC())) >= s.LastStatement {
			newest, found = r, true
		}
	}
	return newest, found
}

// WithReadings returns a balance with the present balances of accounts in place of those in their
// statements. shares is what each account adds to the balance b, in the given currency. A reading
// that is older than the account's statements is ignored. The note names the accounts that were
// replaced, and the times of their readings. The balance is as old as its oldest part. WithReadings
// returns ErrOverflow if a sum overflows 64 bits.
func WithReadings(
	b accounts.Balance, shares []CashShare, readings []Reading, currency string,
) (accounts.Balance, string, error) {
	var times []string
	read := map[string][]string{} // labels of the accounts that were read at a time
	var oldest time.Time
	for _, s := range shares {
		synced := s.SyncedAt
		if r, found := s.newestOf(readings, currency); found {
			synced = r.At
			minute := r.At.UTC().Format("2006-01-02 15:04")
			if read[minute] == nil {
				times = append(times, minute)
			}
			read[minute] = append(read[minute], s.Label)
			if !replaceShare(&b, s, r) {
				return accounts.Balance{}, "", ErrOverflow
			}
		}
		if oldest.IsZero() || synced.Before(oldest) {
			oldest = synced
		}
	}
	if len(times) == 0 {
		return b, "", nil
	}
	b.SyncedAt = oldest
	sentences := make([]string, len(times))
	for n, minute := range times {
		sentences[n] = fmt.Sprintf("%s: read at %s UTC.", strings.Join(read[minute], " and "), minute)
	}
	return b, strings.Join(sentences, " "), nil
}

// replaceShare replaces what an account adds to a balance by its reading. It returns false if a sum
// overflows.
func replaceShare(b *accounts.Balance, s CashShare, r Reading) bool {
	fits := true
	add := func(sum *int64, cents int64) {
		total, ok := money.Add(*sum, cents)
		*sum, fits = total, fits && ok
	}
	held, ok := money.Add(r.CurrentMinor, -r.AvailableMinor)
	add(&b.AvailableCents, -s.AvailableCents)
	add(&b.AvailableCents, r.AvailableMinor)
	add(&b.HoldingCents, held)
	add(&b.PendingCents, -s.PendingCents)
	return fits && ok
}
