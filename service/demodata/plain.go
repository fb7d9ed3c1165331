package demodata

import (
	"time"

	"tarmac/service/ledger"
)

// newPlainPlan returns a simple history for a ledger that is too short for the full one:
// capital and small payments, without invoices and payment intents.
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
		// A single row funds both feeds.
		round += founders
		p.transfers = []transfer{{p.first, founders}}
		p.settled[ledger.ServiceAccount] -= founders
	}
	p.addSeedRound(round)
	p.settled[ledger.LinkedBank] += founders
	p.settled[ledger.ServiceAccount] += round
	return p
}
