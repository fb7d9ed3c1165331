package demodata

import (
	"time"

	"tarmac/service/ledger"
)

const (
	seriesAMonth = 9
	// euroAccountMinor lies in the linked bank's euro account; the dollar account
	// has the rest.
	euroAccountMinor   = 41_200_00
	linkedFloorCents   = 90_000 * dollar
	serviceFloorCents  = 400_000 * dollar
	foundersCents      = 150_000 * dollar
	smallestRoundCents = 1_000_000 * dollar
	roundStep          = 50_000 * dollar
)

// fundingRows is how many rows planFunding adds.
const fundingRows = 3

// planFunding sizes the transfers and the rounds, so that no day of the history
// ends below zero and the cash of today lasts about a year.
func (p *plan) planFunding() {
	net, burn := p.dailyNet()
	p.planTransfers(net[ledger.LinkedBank])
	for _, t := range p.transfers {
		day := t.date.DaysSince(p.first)
		net[ledger.ServiceAccount][day] -= t.cents
		net[ledger.LinkedBank][day] += t.cents
	}
	linked, service := net[ledger.LinkedBank], net[ledger.ServiceAccount]

	founders := foundersCents + roundUp(linkedFloorCents-foundersCents-lowest(linked), transferStep)
	seriesADay := dayOfMonth(p.today.FirstOfMonth().AddMonths(seriesAMonth-historyMonths), 11)
	before := seriesADay.DaysSince(p.first)
	seed := roundUp(serviceFloorCents-lowest(service[:before]), roundStep)

	months := int64(115 + p.rng.IntN(30)) // tenths
	target := burn*months/10 + p.held + p.locked
	seriesA := roundUp(target-founders-seed-sum(linked)-sum(service), roundStep)
	seriesA = max(seriesA, smallestRoundCents, roundUp(serviceFloorCents-seed-lowest(service), roundStep))

	p.addFounders(founders)
	p.addSeedRound(seed)
	p.addFunding(seriesADay.Time().Add(15*time.Hour), ledger.ServiceAccount, seriesA, "Meridian Oak Ventures", "Series A", "SERIES-A")

	p.settled[ledger.LinkedBank] = founders + sum(linked)
	p.settled[ledger.ServiceAccount] = seed + seriesA + sum(service)
}

// addFounders adds the first row that there is.
func (p *plan) addFounders(cents int64) {
	p.addFunding(p.first.Time(), ledger.LinkedBank, cents, "Founders", "Founders' capital", "CAP-1")
}

func (p *plan) addSeedRound(cents int64) {
	p.addFunding(p.first.Time().Add(time.Second), ledger.ServiceAccount, cents, "Larkspur Seed Partners", "Seed round", "SEED-1")
}

func (p *plan) addFunding(at time.Time, src ledger.Source, cents int64, name, memo, reference string) {
	p.add(at, ledger.Transaction{
		Direction: ledger.Inflow, Source: src, AmountMinor: cents, Currency: "USD", Counterparty: name,
		Category: ledger.CategoryFinancing, HasReceipt: true, Memo: memo, Method: "wire", Reference: reference,
	})
}

// dailyNet returns what every day adds to each feed, small rows included, and
// the mean monthly burn of the last three full months.
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
		net[r.Source][r.Date.DaysSince(p.first)] += signed(&r.Transaction)
		if !r.Operating() && !r.Date.Before(from) && r.Date.Before(to) {
			burn += signed(&r.Transaction)
		}
	}
	for source := range net {
		burn -= sum(net[source][from.DaysSince(p.first):to.DaysSince(p.first)])
	}
	return net, burn / 3
}

// signed returns what a row adds to its feed, in USD cents. A row without a USD
// amount has not settled and adds nothing.
func signed(t *ledger.Transaction) int64 {
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

// lowest returns the lowest that a balance gets which begins at zero.
func lowest(days []int64) (least int64) {
	var balance int64
	for _, d := range days {
		balance += d
		least = min(least, balance)
	}
	return least
}
