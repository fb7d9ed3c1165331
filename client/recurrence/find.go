// Package recurrence finds payments that recur, such as rent, payroll and subscriptions.
//
// The rules are simple enough to check by hand. A series has an expected day in each week, month,
// quarter or year. A payment belongs to the series if it was made within a few days of an expected
// day. Nearly all expected days between the first and the last payment must have a payment, and
// most payments of the counterparty must belong to the series.
package recurrence

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/internal/civil"
)

// Payment is a row of the ledger: a payment from or to one counterparty in one direction. Cents is
// its amount in the currency of the totals, without a sign.
type Payment struct {
	Date  civil.Date
	Cents int64
	Row   int // index of the row in the caller's ledger; it orders equal payments of a day

	day int // days from 1 January 1970, set by Find
}

// Find returns the series in the payments of one counterparty in one direction. today is the last
// day of which the ledger has all rows. Payments of unknown amount must be left out.
func Find(payments []Payment, today civil.Date) []Series {
	payments = slices.Clone(payments)
	for i := range payments {
		payments[i].day = number(payments[i].Date)
	}
	slices.SortStableFunc(payments, func(a, b Payment) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.Row, b.Row))
	})
	var all []Series
	if s, ok := find(payments, mostOf, today); ok {
		all = []Series{s}
	} else {
		all = findSimilar(payments, today)
	}
	// Another series may be in the rest, whatever its amounts, such as that of another tax.
	if len(all) > 0 {
		if rest := beside(payments, all); len(rest) >= leastVarying {
			if s, ok := find(rest, mostOf, today); ok && len(s.Payments) >= leastVarying {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, func(a, b Series) int { return cmp.Compare(b.Usual/100*b.PerYear(), a.Usual/100*a.PerYear()) })
	return all
}

// findSimilar returns the series of payments of similar amounts. A vendor may be paid for several
// subscriptions, which differ in their amounts.
func findSimilar(payments []Payment, today civil.Date) (all []Series) {
	for _, similar := range bySize(payments) {
		if s, ok := find(similar, nearlyAllOf, today); ok && s.isSteady() {
			all = append(all, s)
		}
	}
	return all
}

// beside returns the payments that belong to none of the series.
func beside(payments []Payment, all []Series) (rest []Payment) {
	taken := map[Payment]int{}
	for n := range all {
		for _, p := range all[n].Payments {
			taken[p]++
		}
	}
	for _, p := range payments {
		if taken[p]--; taken[p] < 0 {
			rest = append(rest, p)
		}
	}
	return rest
}

// The smallest percentages of payments that must belong to a series.
const (
	mostOf      = 75 // percentage of all payments of a counterparty
	nearlyAllOf = 85 // percentage of the counterparty's payments of similar amounts
)

// leastSimilar is the least number of payments of similar amounts among other payments. Fewer may
// be a coincidence.
const leastSimilar = 4

// leastVarying is the least number of payments of a series beside other series.
const leastVarying = 6

// fit is a schedule with the payments that belong to it.
type fit struct {
	schedule
	chosen       []Payment
	missed       int
	totalOffsets int // sum of the days by which payments were early or late
	last         int // index of the expected day of the last payment
}

// score is larger for a better fit: one point for each payment, less two for each missed expected
// day.
func (f *fit) score() int { return len(f.chosen) - 2*f.missed }

// find returns the series that fits the payments best.
func find(payments []Payment, least int, today civil.Date) (s Series, ok bool) {
	var best fit
	var chosen []Payment // memory that all schedules use
	days := newCalendar(payments)
	for rhythm := Weekly; rhythm <= Yearly; rhythm++ {
		if len(payments) < rules[rhythm].least || len(payments)*least > 100*rhythm.most(payments) {
			continue
		}
		for sc := range schedules(rhythm, payments) {
			if 100*days.most(sc) < least*len(payments) {
				continue
			}
			f := sc.fit(payments, chosen[:0], least)
			chosen = f.chosen
			if f.isSeries(len(payments), least) && (!ok || f.isBetter(&best)) {
				best, ok = f, true
				best.chosen = slices.Clone(f.chosen)
			}
		}
	}
	if !ok {
		return s, false
	}
	return best.series(today), true
}

// most returns the largest number of expected days that a rhythm can have from the first to the
// last payment.
func (r Rhythm) most(payments []Payment) int {
	return (payments[len(payments)-1].day-payments[0].day)*int(r.PerYear())/365 + 2
}

func (f *fit) isBetter(than *fit) bool {
	return cmp.Or(cmp.Compare(f.score(), than.score()), cmp.Compare(than.totalOffsets, f.totalOffsets)) > 0
}

// isSeries reports whether enough payments belong to the schedule. The parameter payments is the
// number of all payments, and least is the percentage of them that must belong to the schedule. One
// expected day may be missed if there are at least four payments, and in a long series one of every
// six.
func (f *fit) isSeries(payments, least int) bool {
	n := len(f.chosen)
	if n < rules[f.Rhythm].least || 100*n < least*payments {
		return false
	}
	if f.missed > mostMissed(n) {
		return false
	}
	different := countDifferent(f.chosen)
	if f.Rhythm == TwiceAMonth && 3*different > n {
		return false // two monthly payments of different amounts are no series
	}
	return n >= 6 || different == 0
}

// mostMissed returns how many expected days a series of n payments may miss.
func mostMissed(n int) int { return max(n/6, min(1, n/4)) }

// countDifferent returns how many amounts differ from the previous amount by more than a third.
func countDifferent(payments []Payment) (n int) {
	for i, p := range payments[1:] {
		if !similar(payments[i].Cents, p.Cents) {
			n++
		}
	}
	return n
}

func similar(a, b int64) bool {
	small, large := min(a, b), max(a, b)
	return large-small <= small/3
}

// schedules returns the schedules of a rhythm by which at least one payment is made on its expected
// day.
func schedules(r Rhythm, payments []Payment) iter.Seq[schedule] {
	return func(yield func(schedule) bool) {
		var seen [32][32]bool // by the day of a schedule, and its second day or its month
		add := func(s schedule) bool {
			if one := &seen[s.day][s.second+s.month]; !*one {
				*one = true
				return yield(s)
			}
			return true
		}
		for i := range payments {
			if !addSchedules(r, &payments[i], add) {
				return
			}
		}
	}
}

// addSchedules adds the schedules of a rhythm by which a payment is made on its expected day. It
// stops and returns false once add does.
func addSchedules(r Rhythm, p *Payment, add func(schedule) bool) bool {
	switch r {
	case Weekly:
		return add(schedule{Rhythm: r, day: (p.day - firstMonday) % 7})
	case EveryTwoWeeks:
		return add(schedule{Rhythm: r, day: (p.day - firstMonday) % 14})
	case TwiceAMonth:
		for between := 10; between <= 18; between++ {
			d := p.Date.Day()
			if d+between <= 31 && !add(schedule{Rhythm: r, day: d, second: d + between}) {
				return false
			}
		}
		return true
	}
	s := schedule{Rhythm: r, day: p.Date.Day()}
	s.month = monthIndex(p.day) % s.months()
	if !add(s) {
		return false
	}
	s.day = 31
	return p.Date != p.Date.LastOfMonth() || add(s)
}

// fit chooses the payment nearest to each expected day, and appends it to memory. The payments must
// be ordered by date. It stops early if the schedule misses too many days for a series, or if fewer
// than the percentage least of the payments can belong to it.
func (s schedule) fit(payments, memory []Payment, least int) fit {
	f := fit{schedule: s, chosen: memory}
	most := len(payments) * (100 - least) / 100 // largest number of payments that may be left out
	index := s.from(payments[0].day) - 1
	expected, next := s.expected(index), s.expected(index+1)
	chosen, chosenOffset := 0, 0 // index and offset of the last chosen payment
	for i := range payments {
		p := &payments[i]
		if i-len(f.chosen) > most {
			return f
		}
		for distance(p.day-next) < distance(p.day-expected) {
			index++
			expected, next = next, s.expected(index+1)
		}
		offset := p.day - expected
		if -offset > rules[s.Rhythm].early || offset > rules[s.Rhythm].late {
			continue
		}
		n := len(f.chosen)
		switch {
		case n == 0:
		case index > chosen:
			if f.missed += index - chosen - 1; f.missed > mostMissed(len(payments)) {
				return f
			}
		case distance(offset) < distance(chosenOffset):
			f.chosen = f.chosen[:n-1]
			f.totalOffsets -= distance(chosenOffset)
		default:
			continue
		}
		f.chosen = append(f.chosen, *p)
		f.totalOffsets += distance(offset)
		chosen, chosenOffset = index, offset
	}
	f.last = chosen
	return f
}

// series completes the figures of a series.
func (f *fit) series(today civil.Date) Series {
	s := Series{Rhythm: f.Rhythm, Payments: f.chosen, Missed: f.missed, schedule: f.schedule}
	s.Usual = median(minorUnits(f.chosen[max(0, len(f.chosen)-f.usualOf()):]))
	index := f.last
	s.Next = date(f.expected(index + 1))
	// One payment may be missed. The series has stopped if the second one is late too.
	second := f.expected(index+2) + rules[f.Rhythm].late
	if f.Rhythm >= Quarterly {
		second = f.expected(index+1) + 2*rules[f.Rhythm].late
	}
	s.Stopped = number(today) > second
	return s
}

// isSteady reports whether a series among other payments of the same counterparty is more than a
// coincidence: it has many payments, or their amounts are equal.
func (s *Series) isSteady() bool {
	if len(s.Payments) >= 8 {
		return true
	}
	changes := 0
	for i, p := range s.Payments[1:] {
		if p.Cents != s.Payments[i].Cents {
			changes++
		}
	}
	return changes <= 1
}

// bySize returns the groups of at least leastSimilar payments of similar amounts. A price may
// change over time: each payment joins the group whose last amount is nearest.
func bySize(payments []Payment) (groups [][]Payment) {
	groupOf := make([]int, len(payments))
	var last, count []int64 // last amount and number of payments of each group
	for n, p := range payments {
		best := -1
		for i, cents := range last {
			if similar(cents, p.Cents) && (best < 0 || distance64(cents-p.Cents) < distance64(last[best]-p.Cents)) {
				best = i
			}
		}
		if best < 0 {
			best = len(last)
			last, count = append(last, 0), append(count, 0)
		}
		groupOf[n], last[best] = best, p.Cents
		count[best]++
	}
	for group, n := range count {
		if n < leastSimilar {
			continue
		}
		of := make([]Payment, 0, n)
		for i, p := range payments {
			if groupOf[i] == group {
				of = append(of, p)
			}
		}
		groups = append(groups, of)
	}
	return groups
}

func distance64(cents int64) int64 { return max(cents, -cents) }
