package cash

import (
	"errors"
	"fmt"
	"math/bits"

	"tarmac/internal/civil"
)

// Flow holds the sums of transactions in a window of months, in minor units. Internal transfers and
// financing are left out.
type Flow struct {
	InflowCents  int64
	OutflowCents int64
	Rows         int64 // number of transactions, those without a known amount included
	Unconverted  int64 // number of transactions without a known amount, which no sum includes
	// UnconvertedOut is the part of Unconverted that is money out.
	UnconvertedOut int64
}

// Add adds the sums and counts of another flow. It returns ErrOverflow if a sum exceeds 64 bits.
func (f *Flow) Add(other Flow) error {
	f.Rows, f.Unconverted = f.Rows+other.Rows, f.Unconverted+other.Unconverted
	f.UnconvertedOut += other.UnconvertedOut
	return errors.Join(add(&f.InflowCents, other.InflowCents), add(&f.OutflowCents, other.OutflowCents))
}

// Known reports whether the sums suffice for an estimate. At most a tenth of the transactions may
// lack a known amount. Where the sums show no burn, none of them may be money out, which could be a
// burn (docs/api.md, Runway estimate).
func (f Flow) Known() bool {
	if f.Unconverted <= 0 {
		return true
	}
	burning := f.InflowCents < f.OutflowCents
	return f.Unconverted <= f.Rows/10 && (burning || f.UnconvertedOut <= 0)
}

// noEstimate says that too many transactions have no rate in a currency. months names the window,
// such as "2026-08 to 2026-10".
func (f Flow) noEstimate(months, currency string) string {
	return fmt.Sprintf("No estimate: %d of %d transactions of %s have no %s rate.",
		f.Unconverted, f.Rows, months, currency)
}

// unrated is the reason that noEstimate says.
func (f Flow) unrated() *Reason {
	return &Reason{Code: UnratedTransactions, Transactions: f.Rows, Unconverted: f.Unconverted}
}

// Months names the months from the first to the last day, such as "2026-08 to 2026-10".
func Months(first, last civil.Date) string { return first.String()[:7] + " to " + last.String()[:7] }

// setBurn sets burn and runway from the flow of a window of that many months. If the flow is not
// Known, the position has no estimate. setBurn returns the net of the window.
func (p *Position) setBurn(flow Flow, months int64) (net int64, err error) {
	net = flow.InflowCents
	if err := add(&net, -flow.OutflowCents); err != nil {
		return 0, err
	}
	if !flow.Known() {
		p.Sufficient = false
		return net, nil
	}
	if net >= 0 {
		return net, nil
	}
	p.IsBurning, p.MonthlyBurnCents = true, ceilShare(net, months)
	if p.Sufficient {
		tenths, err := runwayTenths(*p.RunwayCashCents, p.MonthlyBurnCents)
		if err != nil {
			return 0, err
		}
		p.RunwayTenths = &tenths
	}
	return net, nil
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
