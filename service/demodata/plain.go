package demodata

import (
	"time"

	"tarmac/service/ledger"
)

// newPlainPlan plans a ledger that is too short for the story: the capital, and small
// payments out of it. Nobody is billed and no payment intent is made.
func newPlainPlan(seed int64, now time.Time, transactions int, public idSources) *plan {
	p := emptyPlan(seed, now, public)
	capital := min(transactions, 2)
	p.planDays(transactions - capital)
	net, _ := p.dailyNet()
	p.settled = [2]int64{ledger.LinkedBank: sum(net[ledger.LinkedBank]), ledger.ServiceAccount: sum(net[ledger.ServiceAccount])}

	founders := foundersCents + roundUp(-lowest(net[ledger.LinkedBank]), transferStep)
	round := roundUp(serviceFloorCents-lowest(net[ledger.ServiceAccount]), roundStep)
	if capital > 1 {
		p.addFounders(founders)
	} else {
		// The one row pays for both feeds.
		round += founders
		p.transfers = []transfer{{p.first, founders}}
		p.settled[ledger.ServiceAccount] -= founders
	}
	p.addSeedRound(round)
	p.settled[ledger.LinkedBank] += founders
	p.settled[ledger.ServiceAccount] += round
	return p
}
