package why

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// MonthsLeft returns the runway at the end of each past month, by its first day: cash at that time
// less what is not spendable today, divided by the average net burn of its three months. The basis
// must have cash and a ledger. Months of which a row is missing, or in which cash did not fall,
// have none. MonthsLeft returns nil if the rows do not explain today's net burn, so that they would
// not explain an earlier one either.
func MonthsLeft(b Basis) map[civil.Date]apiclient.Months {
	cash, this := *b.Cash, b.Month()
	if cash.Runway == nil || cash.Spendable.Unknown || cash.Mark() == figures.Unanswered {
		return nil
	}
	first := b.Begins
	if first != first.FirstOfMonth() {
		first = first.FirstOfMonth().AddMonths(1)
	}
	nets, _, ok := b.nets(this.MonthsSince(first))
	if !ok || len(nets) <= windowMonths || burnOf(nets[1:windowMonths+1]) != cash.NetBurn.Minor {
		return nil
	}
	left, spendable := map[civil.Date]apiclient.Months{}, cash.Spendable.Minor
	for back := 1; back+windowMonths <= len(nets); back++ {
		month := this.AddMonths(-back)
		spendable -= nets[back-1].all()
		burn := burnOf(nets[back : back+windowMonths])
		if !whole(b.Ledger, month.AddMonths(1-windowMonths), b.Today) {
			break
		}
		if burn > 0 && spendable > 0 && spendable/burn <= figures.Horizon {
			left[month] = apiclient.MonthsOf(tenths(spendable, burn))
		}
	}
	return left
}
