package spending

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// transferDays is the largest number of days between the two rows of a transfer.
const transferDays = 5

// leastTransfer is the smallest amount, in units of the currency of the totals, that is suspected
// to be a transfer. Smaller amounts are often equal by chance.
const leastTransfer = 1000

// Pair is two rows of the same amount of at least leastTransfer, money out and money in, at most
// five days apart. They may be a transfer between accounts of the organization.
type Pair struct {
	Out, In  int // indices in Ledger.Rows
	Minor    int64
	Currency string
}

// SuspectedTransfers returns pairs of operating rows that may be own transfers which the server
// does not mark as such. At least one row of each pair is dated on a day for which includes returns
// true. The pairs are ordered by the row of money out, newest first. They still count as cost and
// income everywhere, because equal amounts prove nothing.
func (l *Ledger) SuspectedTransfers(includes func(day civil.Date) bool) (pairs []Pair) {
	for _, amount := range l.oppositeAmounts() {
		for _, p := range l.pair(amount) {
			if includes(l.Rows[p.Out].Date) || includes(l.Rows[p.In].Date) {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return a.Out - b.Out })
	return pairs
}

// opposite holds the operating rows of one amount, newest first.
type opposite struct{ out, in []int }

// oppositeAmounts returns the rows of each amount, in minor units of the totals, that came in and
// went out.
func (l *Ledger) oppositeAmounts() map[int64]opposite {
	byAmount := map[int64]opposite{}
	for _, direction := range [...]apiclient.Direction{apiclient.Inflow, apiclient.Outflow} {
		for i := range l.Rows {
			r := &l.Rows[i]
			cents, known := r.Reporting.Minor()
			least := leastTransfer * money.One(r.Reporting.Currency())
			if !known || cents < least || r.Purpose != Operating || r.Direction != direction || r.IsRefund() {
				continue
			}
			amount, seen := byAmount[cents]
			switch {
			case direction == apiclient.Inflow:
				amount.in = append(amount.in, i)
			case !seen:
				continue
			default:
				amount.out = append(amount.out, i)
			}
			byAmount[cents] = amount
		}
	}
	return byAmount
}

// pair returns the pairs of one amount. Each row is in at most one pair. It pairs from the newest
// to the oldest row, each with the newest one that is left, so that as many rows as possible have
// a partner.
func (l *Ledger) pair(amount opposite) (pairs []Pair) {
	out, in := amount.out, amount.in
	for len(out) > 0 && len(in) > 0 {
		switch days := l.Rows[out[0]].Date.DaysSince(l.Rows[in[0]].Date); {
		case days > transferDays:
			out = out[1:]
		case days < -transferDays:
			in = in[1:]
		default:
			minor, _ := l.Rows[out[0]].Reporting.Minor()
			pairs = append(pairs, Pair{Out: out[0], In: in[0], Minor: minor, Currency: l.Currency})
			out, in = out[1:], in[1:]
		}
	}
	return pairs
}

// RowsOfPairs returns the set of the indices of the rows of all pairs.
func RowsOfPairs(pairs []Pair) map[int]bool {
	rows := map[int]bool{}
	for _, p := range pairs {
		rows[p.Out], rows[p.In] = true, true
	}
	return rows
}

// SuspectedText says that pairs may be own transfers, and how much money they are. It returns "" if
// there are no pairs.
func SuspectedText(pairs []Pair) string {
	if len(pairs) == 0 {
		return ""
	}
	total := figures.Total{Currency: pairs[0].Currency}
	for _, p := range pairs {
		total.Add(p.Minor)
	}
	if len(pairs) == 1 {
		return "1 payment out and one in are equal (" + total.String() + ") and at most five days apart. They may be a " +
			"transfer between own accounts; they count as cost and income."
	}
	return plural.Count(len(pairs), "payment") + " out and as many in are equal (" + total.String() +
		" each way) and at most five days apart. They may be transfers between own accounts; they count as cost and income."
}
