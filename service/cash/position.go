// Package cash estimates an organization's burn and runway from its ledger and
// its balances (docs/api.md, Cash position, Runway estimate).
package cash

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/ledger"
)

// WindowMonths is the number of complete calendar months over which burn is averaged.
const WindowMonths = 3

// ErrOverflow is returned if a figure does not fit into 64 bits of cents.
var ErrOverflow = errors.New("the figures add up to more than can be counted")

// Window returns the first and the last day of the last WindowMonths complete calendar months
// before today (UTC).
func Window(today civil.Date) (from, to civil.Date) {
	month := today.FirstOfMonth()
	return month.AddMonths(-WindowMonths), month.AddDays(-1)
}

// Flow holds the sums of one source's transactions in the Window, in USD cents. Internal transfers
// and financing are left out.
type Flow struct {
	InflowCents  int64
	OutflowCents int64
	Unconverted  int64 // number of transactions without a USD amount
}

// Feed is a source of transactions, such as the linked banks, with its balance and history. Amounts
// are in USD cents.
type Feed struct {
	Source         ledger.Source
	HasBalance     bool  // true if the balance in USD is known
	SettledCents   int64 // available, held and locked cash
	SpendableCents int64 // the part of SettledCents that can be spent now
	FirstDay       civil.Date
	Flow           Flow
}

// Input holds the figures from which Estimate computes a position.
type Input struct {
	Today              civil.Date // the current date in UTC
	AccountOpen        bool
	Feeds              []Feed
	UnconvertedBalance int // number of linked accounts whose balance has no USD rate
}

// Position is an organization's cash, burn and runway. Amounts are in USD cents.
type Position struct {
	CashCents        int64
	MonthlyBurnCents int64
	IsBurning        bool
	Sufficient       bool   // true if a feed's history covers all months of the Window
	RunwayCashCents  *int64 // spendable cash; nil if no feed has both a balance and a full history
	RunwayTenths     *int64 // tenths of a month; nil if not burning or not Sufficient
	Note             string // the runway in words, or the reason why there is none
}

// Estimate computes the position. The monthly burn is the average net outflow of the feeds that
// have both a balance and a history of all months of the Window. It is rounded up, so that a burn
// is never shown as 0. Runway is rounded down. Without an open managed account nothing is
// estimated, even if banks are linked.
func Estimate(in Input) (Position, error) {
	if !in.AccountOpen {
		return Position{Note: "No account is open yet."}, nil
	}
	from, _ := Window(in.Today)
	p := Position{}
	months, aligned := 0, false
	var net, runwayCash, unconverted int64
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
		unconverted += feed.Flow.Unconverted
		if err := errors.Join(
			add(&runwayCash, feed.SpendableCents), add(&net, feed.Flow.InflowCents), add(&net, -feed.Flow.OutflowCents),
		); err != nil {
			return Position{}, err
		}
	}
	p.Sufficient = months == WindowMonths
	if aligned {
		p.RunwayCashCents = &runwayCash
	}
	if net < 0 {
		p.IsBurning = true
		p.MonthlyBurnCents = ceilShare(net, WindowMonths)
	}
	if p.IsBurning && p.Sufficient {
		tenths, err := runwayTenths(runwayCash, p.MonthlyBurnCents)
		if err != nil {
			return Position{}, err
		}
		p.RunwayTenths = &tenths
	}
	p.Note = note(p, months, net, unconverted, in.UnconvertedBalance)
	return p, nil
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

// ceilShare returns the magnitude of net divided by months, rounded up; net is negative. It
// divides before it negates, because the smallest int64 has no positive counterpart.
func ceilShare(net int64, months int64) int64 {
	share := -(net / months)
	if net%months != 0 {
		share++
	}
	return share
}

// runwayTenths returns the runway in tenths of a month, 10 × cash ÷ burn rounded down. It is 0 if
// cash is negative.
func runwayTenths(cash, burn int64) (int64, error) {
	if cash <= 0 {
		return 0, nil
	}
	high, low := bits.Mul64(uint64(cash), 10)
	if high >= uint64(burn) {
		return 0, ErrOverflow
	}
	tenths, _ := bits.Div64(high, low, uint64(burn))
	if tenths > 1<<63-1 {
		return 0, ErrOverflow
	}
	return int64(tenths), nil
}

func note(p Position, months int, net, unconverted int64, unconvertedBalances int) string {
	var b strings.Builder
	switch {
	case !p.Sufficient:
		fmt.Fprintf(&b, "Not enough history: %d of %d full months.", months, WindowMonths)
	case p.RunwayCashCents == nil:
		fmt.Fprintf(&b, "No estimate: no account has both a balance and %d full months of history.", WindowMonths)
	case p.RunwayTenths != nil:
		fmt.Fprintf(&b, "About %d.%d months at the average net burn of the last %d full months.",
			*p.RunwayTenths/10, *p.RunwayTenths%10, WindowMonths)
	case net == 0:
		fmt.Fprintf(&b, "Not burning: cash flow was even over the last %d full months.", WindowMonths)
	default:
		fmt.Fprintf(&b, "Not burning: cash flow was positive over the last %d full months.", WindowMonths)
	}
	excluded(&b, unconverted, "transaction")
	excluded(&b, int64(unconvertedBalances), "linked balance")
	return b.String()
}

func excluded(b *strings.Builder, n int64, what string) {
	switch {
	case n == 1:
		fmt.Fprintf(b, " 1 %s has no USD rate and is excluded.", what)
	case n > 1:
		fmt.Fprintf(b, " %d %ss have no USD rate and are excluded.", n, what)
	}
}
