package recurrence

import (
	"math"
	"slices"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Series is a payment that recurs.
type Series struct {
	Rhythm
	Payments []Payment  // ordered by date
	Missed   int        // number of expected days without a payment, from the first to the last payment
	Usual    int64      // median of the last three payments, or the last yearly one, in minor units of the totals
	Next     civil.Date // first expected day after the last payment; it may have passed
	Stopped  bool       // true if the payments after the last one are overdue
	// Own has the amounts of the payments in the currency in which they were paid, in the same
	// order. The caller of Find may set it; Change uses it.
	Own []apiclient.Amount

	schedule schedule
}

// First returns the day of the first payment.
func (s *Series) First() civil.Date { return s.Payments[0].Date }

// Last returns the day of the last payment.
func (s *Series) Last() civil.Date { return s.Payments[len(s.Payments)-1].Date }

// Expected returns the days from first to last on which payments are expected. today is the last
// day of which the ledger has all rows; first is later. A payment that was due up to today, but is
// not late yet, is expected on the day first. One that is due after today and before first may have
// been paid, and is not among the days. A series that has stopped has no expected days.
func (s *Series) Expected(today, first, last civil.Date) (days []civil.Date) {
	if s.Stopped {
		return nil
	}
	if !s.Next.After(today) && !s.IsLate(today) {
		days = append(days, first)
	}
	begin := max(number(first), number(s.Next))
	for index := s.schedule.from(begin-1) + 1; ; index++ {
		day := s.schedule.expected(index)
		if day > number(last) {
			return days
		}
		if day >= begin {
			days = append(days, date(day))
		}
	}
}

// YearlyCents returns the sum of a year's payments of the usual amount. It returns false if it
// overflows.
func (s *Series) YearlyCents() (int64, bool) {
	return s.Usual * s.PerYear(), s.Usual <= math.MaxInt64/s.PerYear()
}

// Change returns by how many percent the usual amount differs from the usual amount a year before,
// and the first day of the month of the earlier amount. In a series of less than a year, the first
// payments are the earlier ones. Amounts are those in the currency of the payments, so that a price
// in euros which did not move has no change; they are those of the totals if the currency changed.
// Change returns false if the series is too short, or if a percentage would be meaningless.
func (s *Series) Change() (percent int64, since civil.Date, ok bool) {
	yearBefore := s.Last().AddMonths(-12)
	begin, _ := slices.BinarySearchFunc(s.Payments, yearBefore, func(p Payment, day civil.Date) int {
		return p.Date.Compare(day)
	})
	compared := s.usualOf()
	last := len(s.Payments) - compared
	if begin+compared > last {
		return 0, since, false
	}
	earlier := s.Payments[begin : begin+compared]
	before, now, ok := s.inOneCurrency(begin, last)
	if !ok {
		before, now = median(minorUnits(earlier)), median(minorUnits(s.Payments[last:]))
	}
	difference, ok := money.Add(now, -before)
	if !ok || before <= 0 || distance64(difference) > math.MaxInt64/100 {
		return 0, since, false
	}
	return difference * 100 / before, earlier[0].Date.FirstOfMonth(), true
}

// IsLate reports whether the next payment is still missing on the given day, after the days by
// which banks may delay it.
func (s *Series) IsLate(day civil.Date) bool { return s.Stopped || s.IsNextMissing(day) }

// IsNextMissing reports whether the next payment was missing on the given day, after the days by
// which banks may delay it. It ignores Stopped.
func (s *Series) IsNextMissing(day civil.Date) bool {
	return day.DaysSince(s.Next) > rules[s.Rhythm].late
}

// IsNew reports whether the payments began in the three months up to today, although the ledger
// begins at least three months before them.
func (s *Series) IsNew(ledgerBegins, today civil.Date) bool {
	return s.First().After(today.AddMonths(-3)) && ledgerBegins.Before(s.First().AddMonths(-3))
}

// usualOf returns the number of payments whose median is the usual amount. The price of a year is
// the last one that was paid.
func (r Rhythm) usualOf() int {
	if r == Yearly {
		return 1
	}
	return 3
}

// inOneCurrency returns the usual amounts before and now, in the minor units of their currency:
// those of the payments from the indices begin and last on. It returns false if they are not all
// in the same one.
func (s *Series) inOneCurrency(begin, last int) (before, now int64, ok bool) {
	if len(s.Own) != len(s.Payments) {
		return 0, 0, false
	}
	earlier, later := s.Own[begin:begin+s.usualOf()], s.Own[last:]
	var minor []int64
	for _, amount := range slices.Concat(earlier, later) {
		one, known := amount.Minor()
		if !known || amount.Currency() != earlier[0].Currency() {
			return 0, 0, false
		}
		minor = append(minor, one)
	}
	return median(minor[:len(earlier)]), median(minor[len(earlier):]), true
}

// minorUnits returns the amounts of payments in minor units of the totals.
func minorUnits(payments []Payment) []int64 {
	cents := make([]int64, len(payments))
	for i := range payments {
		cents[i] = payments[i].Cents
	}
	return cents
}

// median returns the median of amounts, which it sorts, or the lower one of two.
func median(amounts []int64) int64 {
	slices.Sort(amounts)
	return amounts[(len(amounts)-1)/2]
}
