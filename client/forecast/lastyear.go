package forecast

import (
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// year is the number of days after which the same weekdays of a season come again, and twoYears the
// number of days that must have rows if last year is to count.
const (
	year     = 364
	twoYears = 2 * year
)

// compareYears computes how much last year counts, and how these 26 weeks compare with the same 26
// a year before. The ledger begins on the day begins.
func (e *estimator) compareYears(begins civil.Date) {
	b := &e.Basis
	now, _ := e.flows(b.First, b.Last, nil)
	b.otherIn, b.otherOut = now.otherIn, now.otherOut
	if b.KnowsLastYear = !begins.After(b.Last.AddDays(1 - twoYears)); !b.KnowsLastYear {
		return
	}
	before, _ := e.flows(b.First.AddDays(-year), b.Last.AddDays(-year), nil)
	b.LastYear = e.likeness()
	b.RatioIn, b.RatioOut = ratio(now.in, before.in), ratio(now.otherOut, before.otherOut)
}

// likeness returns by how many percent the money in of the last 364 days follows that of the 364
// days before: the sum of the differences of thirteen totals of four weeks, after the earlier ones
// were scaled to the same sum, is so much smaller than the sum of the differences from the average.
func (e *estimator) likeness() int64 {
	const totals, days = 13, year / 13
	var these, before [totals]int64
	sum := int64(0)
	for i := e.begin; i < len(e.all); i++ {
		age := e.Basis.Last.DaysSince(e.all[i].Date)
		if age >= twoYears {
			break
		}
		cents, _, _ := operating(&e.all[i])
		if e.comesOnce(i) {
			continue
		}
		if age < year {
			these[age/days] += cents
			sum += cents
		} else {
			before[(age-year)/days] += cents
		}
	}
	scaled := figures.Apportion(before[:], sum)
	if scaled == nil {
		return 0
	}
	differences, spread := int64(0), int64(0) // both thirteen times as large
	for i, cents := range these {
		differences += totals * size(cents-scaled[i])
		spread += size(totals*cents - sum)
	}
	if spread <= differences {
		return 0
	}
	return 100 * (spread - differences) / spread
}

// ratio returns an amount in percent of the same amount a year before, between 50 and 200.
func ratio(now, before int64) int64 {
	switch {
	case before > 0:
		return min(max(50, (100*now+before/2)/before), 200)
	case now > 0:
		return 200
	}
	return 100
}

// addLastYear adds the part of a period that follows the same days of last year.
func (e *estimator) addLastYear(w *Week) {
	b := &e.Basis
	if b.LastYear == 0 {
		return
	}
	sum, rows := e.flows(w.First.AddDays(-year), w.Last.AddDays(-year), e.replacedLastYear())
	w.LastYearIn = sum.in * b.RatioIn / 100 * b.LastYear / 100
	w.LastYearOut = b.asLastYear(max(0, sum.otherOut-e.bills.lastYear(w)))
	w.LastYearRows = rows
}

// asLastYear returns the part of other costs of last year that counts for the same days now.
func (b *Basis) asLastYear(cents int64) int64 { return cents * b.RatioOut / 100 * b.LastYear / 100 }

// thisYear returns the part of an amount that counts beside last year.
func (b *Basis) thisYear(cents int64) int64 { return cents * (100 - b.LastYear) / 100 }
