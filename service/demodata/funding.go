package demodata

import (
	"time"

	"tarmac/internal/civil"
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
	transferStep       = 1_000 * dollar
	roundStep          = 50_000 * dollar
)

// transferTimes are the moments at which the service account tops up the bank
// for the month.
func (p *plan) transferTimes() []time.Time {
	var times []time.Time
	p.eachMonth(func(_ int, first civil.Date) {
		at := workday(first).Time().Add(7 * time.Hour)
		if !at.After(p.now) {
			times = append(times, at)
		}
	})
	return times
}

// fundingRows returns how many rows planFunding will add.
func (p *plan) fundingRows() int { return 3 + 2*len(p.transferTimes()) }

// planFunding sizes the transfers and the rounds, so that no day of the history
// ends below zero and the cash of today lasts about a year.
func (p *plan) planFunding() {
	net, burn := p.dailyNet()
	linked, service := net[ledger.LinkedBank], net[ledger.ServiceAccount]

	for _, at := range p.transferTimes() {
		from := civil.Of(at)
		next := workday(from.FirstOfMonth().AddMonths(1))
		var need int64
		for d := from.DaysSince(p.first); d < min(next.DaysSince(p.first), len(linked)); d++ {
			need -= linked[d]
		}
		cents := max(transferStep, roundUp(need, transferStep))
		reference := "TRF-" + from.String()
		p.addFunding(at, ledger.Outflow, ledger.ServiceAccount, cents, ledger.CategoryInternalTransfer, "Harbor & Pine Bank", "To the operating account", reference)
		p.addFunding(at, ledger.Inflow, ledger.LinkedBank, cents, ledger.CategoryInternalTransfer, "Service account", "From the service account", reference)
		day := from.DaysSince(p.first)
		service[day] -= cents
		linked[day] += cents
	}

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
	p.addFunding(seriesADay.Time().Add(15*time.Hour), ledger.Inflow, ledger.ServiceAccount, seriesA, ledger.CategoryFinancing, "Meridian Oak Ventures", "Series A", "SERIES-A")

	p.settled[ledger.LinkedBank] = founders + sum(linked)
	p.settled[ledger.ServiceAccount] = seed + seriesA + sum(service)
}

// addFounders adds the first row that there is.
func (p *plan) addFounders(cents int64) {
	p.addFunding(p.first.Time(), ledger.Inflow, ledger.LinkedBank, cents, ledger.CategoryFinancing, "Founders", "Founders' capital", "CAP-1")
}

func (p *plan) addSeedRound(cents int64) {
	p.addFunding(p.first.Time().Add(time.Second), ledger.Inflow, ledger.ServiceAccount, cents, ledger.CategoryFinancing,
		"Larkspur Seed Partners", "Seed round", "SEED-1")
}

func (p *plan) addFunding(at time.Time, dir ledger.Direction, src ledger.Source, cents int64, category, name, memo, reference string) {
	method := "wire"
	if category == ledger.CategoryInternalTransfer {
		method = "transfer"
	}
	p.add(at, ledger.Transaction{
		Direction: dir, Source: src, AmountMinor: cents, Currency: "USD", Counterparty: name,
		Category: category, HasReceipt: category == ledger.CategoryFinancing, Memo: memo, Method: method, Reference: reference,
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
	for _, r := range p.rows {
		net[r.Source][r.Date.DaysSince(p.first)] += signed(&r.Transaction)
	}
	to := p.today.FirstOfMonth()
	from := to.AddMonths(-3)
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
