package why

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// MonthsLeft returns the runway at the end of each past month, by its first day: cash at that time
// less what is not spendable today, divided by the average net burn of its three months. begins is
// the first day of which the ledger has all rows. Months of which a row is missing, or in which
// cash did not fall, have none. MonthsLeft returns nil if the rows do not explain today's net burn,
// so that they would not explain an earlier one either.
func MonthsLeft(l *spending.Ledger, cash figures.Cash, begins, today civil.Date) map[civil.Date]apiclient.Months {
	this := today.FirstOfMonth()
	if cash.Runway == nil || cash.Spendable.Unknown || cash.Mark() == figures.Unanswered {
		return nil
	}
	first := begins
	if begins != begins.FirstOfMonth() {
		first = begins.FirstOfMonth().AddMonths(1)
	}
	nets, _, ok := netsOf(l, this, this.MonthsSince(first))
	if !ok || len(nets) <= windowMonths || burnOf(nets[1:windowMonths+1]) != cash.NetBurn.Minor {
		return nil
	}
	left, spendable := map[civil.Date]apiclient.Months{}, cash.Spendable.Minor
	for back := 1; back+windowMonths <= len(nets); back++ {
		month := this.AddMonths(-back)
		spendable -= nets[back-1].all()
		burn := burnOf(nets[back : back+windowMonths])
		if !whole(l, month.AddMonths(1-windowMonths), today) {
			break
		}
		if burn > 0 && spendable > 0 && spendable/burn <= figures.Horizon {
			left[month] = apiclient.MonthsOf(tenths(spendable, burn))
		}
	}
	return left
}
