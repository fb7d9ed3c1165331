package demodata

import (
	"time"

	"tarmac/service/ledger"
)

// newPlainPlan returns a history with financing and small rows (smallRows) only, without invoices
// and payment intents. newPlan uses it for a ledger that is too small for the full history.
func newPlainPlan(seed int64, now time.Time, transactions int, sources idSources) *plan {
	p := newEmptyPlan(seed, now, sources)
	capital := min(transactions, 2)
	p.planDays(transactions - capital)
	net, _ := p.dailyNet()
	p.settled = [2]int64{
		ledger.LinkedBank: sum(net[ledger.LinkedBank]), ledger.ServiceAccount: sum(net[ledger.ServiceAccount]),
	}

	founders := foundersCents + roundUp(-lowestBalance(net[ledger.LinkedBank]), transferStep)
	round := roundUp(serviceFloorCents-lowestBalance(net[ledger.ServiceAccount]), roundStep)
	if capital > 1 {
		p.addFounders(founders)
	} else {
		// There is only one financing row, and it goes to the managed account. A transfer funds the
		// linked bank.
		round += founders
		p.transfers = []transfer{{p.first, founders}}
		p.settled[ledger.ServiceAccount] -= founders
	}
	p.addSeedRound(round)
	p.settled[ledger.LinkedBank] += founders
	p.settled[ledger.ServiceAccount] += round
	return p
}
