package demodata

import (
	"time"

	"tarmac/service/ledger"
)

const (
	seriesAMonth = 9
	// euroAccountMinor is the balance of the linked euro account, in euro cents. The linked dollar
	// account holds the rest of the linked bank's cash.
	euroAccountMinor   = 41_200_00
	linkedFloorCents   = 90_000 * dollar
	serviceFloorCents  = 400_000 * dollar
	foundersCents      = 150_000 * dollar
	smallestRoundCents = 1_000_000 * dollar
	roundStep          = 50_000 * dollar
)

// fundingRows is the number of ledger rows that planFunding adds: one for each financing round.
const fundingRows = 3

// planFunding sets the amounts of transfers and financing rounds so that neither feed's balance is
// below zero at the end of a day, and the final cash lasts about a year.
func (p *plan) planFunding() {
	net, burn := p.dailyNet()
	p.planTransfers(net[ledger.LinkedBank])
	for _, t := range p.transfers {
		day := t.date.DaysSince(p.first)
		net[ledger.ServiceAccount][day] -= t.cents
		net[ledger.LinkedBank][day] += t.cents
	}
	linked, service := net[ledger.LinkedBank], net[ledger.ServiceAccount]

	founders := foundersCents + roundUp(linkedFloorCents-foundersCents-lowestBalance(linked), transferStep)
	seriesADay := dayOfMonth(p.today.FirstOfMonth().AddMonths(seriesAMonth-historyMonths), 11)
	before := seriesADay.DaysSince(p.first)
	seed := roundUp(serviceFloorCents-lowestBalance(service[:before]), roundStep)

	months := int64(115 + p.rng.IntN(30)) // target runway in tenths of a month, at the current burn
	target := burn*months/10 + p.held + p.locked
	seriesA := roundUp(target-founders-seed-sum(linked)-sum(service), roundStep)
	seriesA = max(seriesA, smallestRoundCents, roundUp(serviceFloorCents-seed-lowestBalance(service), roundStep))

	p.addFounders(founders)
	p.addSeedRound(seed)
	p.addFunding(
		seriesADay.Time().Add(15*time.Hour), ledger.ServiceAccount, seriesA, "Meridian Oak Ventures", "Series A", "SERIES-A",
	)

	p.settled[ledger.LinkedBank] = founders + sum(linked)
	p.settled[ledger.ServiceAccount] = seed + seriesA + sum(service)
}

// addFounders adds the capital paid in by the founders, which is the first row of the ledger.
func (p *plan) addFounders(cents int64) {
	p.addFunding(p.first.Time(), ledger.LinkedBank, cents, "Founders", "Founders' capital", "CAP-1")
}

func (p *plan) addSeedRound(cents int64) {
	p.addFunding(
		p.first.Time().Add(time.Second), ledger.ServiceAccount, cents, "Larkspur Seed Partners", "Seed round", "SEED-1",
	)
}

func (p *plan) addFunding(at time.Time, src ledger.Source, cents int64, name, memo, reference string) {
	p.add(at, ledger.Transaction{
		Direction: ledger.Inflow, Source: src, AmountMinor: cents, Currency: "USD", Counterparty: name,
		Category: ledger.CategoryFinancing, HasReceipt: true, Memo: memo, Method: "wire", Reference: reference,
	})
}

// dailyNet returns the net amount of each feed for each day, including small rows (smallRows), and
// the average monthly burn of the last three full months. All are in USD cents.
func (p *plan) dailyNet() (net [2][]int64, burn int64) {
	for source := range net {
		net[source] = make([]int64, len(p.days))
	}
	for i, d := range p.days {
		for source := range d.small {
			net[source][i] = d.small[source].cents
		}
	}
	to := p.today.FirstOfMonth()
	from := to.AddMonths(-3)
	for _, r := range p.rows {
		net[r.Source][r.Date.DaysSince(p.first)] += netUSD(&r.Transaction)
		if !r.Operating() && !r.Date.Before(from) && r.Date.Before(to) {
			burn += netUSD(&r.Transaction)
		}
	}
	for source := range net {
		burn -= sum(net[source][from.DaysSince(p.first):to.DaysSince(p.first)])
	}
	return net, burn / 3
}

// netUSD returns the amount of a row in USD cents, negative for an outflow. It is 0 if the USD
// amount is unknown.
func netUSD(t *ledger.Transaction) int64 {
	if t.Direction == ledger.Outflow {
		return -t.USDCents
	}
	return t.USDCents
}

func sum(days []int64) (total int64) {
	for _, d := range days {
		total += d
	}
	return total
}

// lowestBalance returns the lowest balance of an account that starts at zero and changes by days[i]
// on day i.
func lowestBalance(days []int64) (lowest int64) {
	var balance int64
	for _, d := range days {
		balance += d
		lowest = min(lowest, balance)
	}
	return lowest
}
