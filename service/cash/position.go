// Package cash estimates an organization's burn and runway from its ledger and
// its balances (docs/api.md, Cash position, Runway estimate).
package cash

import (
	"errors"
	"fmt"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// WindowMonths is the number of complete calendar months over which burn is averaged.
const WindowMonths = 3

// ErrOverflow is returned if a figure does not fit into 64 bits of cents.
var ErrOverflow = errors.New("the figures add up to more than can be counted")

// ErrNoRate is returned if no balance is known but those of zero, because the others have no
// exchange rate. A cash of zero would be false.
var ErrNoRate = errors.New("cash is not known: there is no exchange rate for the linked balances")

// Window returns the first and the last day of the last WindowMonths complete calendar months
// before today (UTC).
func Window(today civil.Date) (from, to civil.Date) {
	month := today.FirstOfMonth()
	return month.AddMonths(-WindowMonths), month.AddDays(-1)
}

// Feed is a source of transactions, such as the linked banks, with its balance and history. Amounts
// are in minor units of one currency.
type Feed struct {
	Source         ledger.Source
	HasBalance     bool  // true if the balance is known
	SettledCents   int64 // available, held and locked cash
	SpendableCents int64 // the part of SettledCents that can be spent now
	FirstDay       civil.Date
	Flow           Flow
}

// Input holds the figures from which Estimate computes a position.
type Input struct {
	Currency           string     // ISO 4217
	Today              civil.Date // the current date in UTC
	AccountOpen        bool
	Feeds              []Feed
	UnconvertedBalance int // number of linked accounts whose balance has no rate
}

// Position is an organization's cash, burn and runway. Amounts are in minor units.
type Position struct {
	CashCents        int64
	MonthlyBurnCents int64
	IsBurning        bool
	Sufficient       bool    // true if a feed's history covers all months of the Window
	RunwayCashCents  *int64  // spendable cash; nil if no feed has both a balance and a full history
	RunwayTenths     *int64  // tenths of a month; nil if not burning or not Sufficient
	NoEstimate       *Reason // why burn and runway aren't estimated; nil if they are
	Note             Note
}

// Estimate computes the position. The monthly burn is the average net outflow of the feeds that
// have both a balance and a history of all months of the Window. It is rounded up, so that a burn
// is never shown as 0. Runway is rounded down. Without an open managed account nothing is
// estimated, even if banks are linked.
func Estimate(in Input) (Position, error) {
	if !in.AccountOpen {
		return Position{NoEstimate: &Reason{Code: NotOpen}, Note: Note{Estimate: "No account is open yet."}}, nil
	}
	if in.UnconvertedBalance > 0 && !in.hasCash() {
		return Position{}, ErrNoRate
	}
	from, to := Window(in.Today)
	p := Position{}
	months, aligned := 0, false
	var runwayCash int64
	var flow Flow
	for _, feed := range in.Feeds {
		months = max(months, fullMonths(feed.FirstDay, from))
		if !feed.HasBalance {
			continue
		}
		if err := add(&p.CashCents, feed.SettledCents); err != nil {
			return Position{}, err
		}
		if fullMonths(feed.FirstDay, from) < WindowMonths {
			continue
		}
		aligned = true
		if err := errors.Join(add(&runwayCash, feed.SpendableCents), flow.Add(feed.Flow)); err != nil {
			return Position{}, err
		}
	}
	p.Sufficient = months == WindowMonths
	if aligned {
		p.RunwayCashCents = &runwayCash
	}
	net, err := p.setBurn(flow, WindowMonths)
	if err != nil {
		return Position{}, err
	}
	if !flow.Known() {
		p.NoEstimate = flow.unrated()
		p.Note.Estimate = flow.noEstimate(Months(from, to), in.Currency)
		excluded(&p.Note.Estimate, int64(in.UnconvertedBalance), "linked balance", in.Currency)
		return p, nil
	}
	switch {
	case !p.Sufficient:
		p.NoEstimate = &Reason{Code: ShortHistory, FullMonths: months, NeededMonths: WindowMonths}
	case p.RunwayCashCents == nil:
		p.NoEstimate = &Reason{Code: NoBalanceWithHistory, NeededMonths: WindowMonths}
	}
	p.Note.Estimate = note(p, months, net)
	excluded(&p.Note.Estimate, flow.Unconverted, "transaction", in.Currency)
	excluded(&p.Note.Estimate, int64(in.UnconvertedBalance), "linked balance", in.Currency)
	return p, nil
}

// hasCash reports whether a balance that is not zero is known.
func (in Input) hasCash() bool {
	return slices.ContainsFunc(in.Feeds, func(f Feed) bool { return f.SettledCents != 0 || f.SpendableCents != 0 })
}

// fullMonths returns how many of the Window's months are completely covered by a history that
// starts on the day historyStart. windowStart is the first day of the Window.
func fullMonths(historyStart, windowStart civil.Date) int {
	if historyStart.IsZero() {
		return 0
	}
	n := 0
	for m := range WindowMonths {
		if !historyStart.After(windowStart.AddMonths(m)) {
			n++
		}
	}
	return n
}

func add(sum *int64, n int64) error {
	total, ok := money.Add(*sum, n)
	if !ok {
		return ErrOverflow
	}
	*sum = total
	return nil
}

// note says the runway in words, or why there is none.
func note(p Position, months int, net int64) string {
	switch {
	case !p.Sufficient:
		return fmt.Sprintf("Not enough history: %d of %d full months.", months, WindowMonths)
	case p.RunwayCashCents == nil:
		return fmt.Sprintf("No estimate: no account has both a balance and %d full months of history.", WindowMonths)
	case p.RunwayTenths != nil:
		return fmt.Sprintf("About %d.%d months at the average net burn of the last %d full months.",
			*p.RunwayTenths/10, *p.RunwayTenths%10, WindowMonths)
	case net == 0:
		return fmt.Sprintf("Not burning: cash flow was even over the last %d full months.", WindowMonths)
	}
	return fmt.Sprintf("Not burning: cash flow was positive over the last %d full months.", WindowMonths)
}

// excluded adds a sentence to a note that says how many things have no rate in a currency. Without
// any, it adds nothing.
func excluded(note *string, n int64, what, currency string) {
	switch {
	case n == 1:
		*note += fmt.Sprintf(" 1 %s has no %s rate and is excluded.", what, currency)
	case n > 1:
		*note += fmt.Sprintf(" %d %ss have no %s rate and are excluded.", n, what, currency)
	}
}
