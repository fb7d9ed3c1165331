package demodata

import (
	"time"

	"tarmac/service/ledger"
)

// newPlainPlan returns a plan with financing and small rows only, without invoices and payment
// intents. newPlan uses it for a ledger that is too small for the full history.
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
		// The only financing row goes to the service account. A transfer funds the bank.
		round += founders
		p.transfers = []transfer{{p.first, founders}}
		p.settled[ledger.ServiceAccount] -= founders
	}
	p.addSeedRound(round)
	p.settled[ledger.LinkedBank] += founders
	p.settled[ledger.ServiceAccount] += round
	return p
}
