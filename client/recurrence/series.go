package recurrence

import (
	"math"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// Series is a payment that recurs.
type Series struct {
	Rhythm
	Payments []Payment  // ordered by date
	Missed   int        // number of expected days without a payment, from the first to the last payment
	Usual    int64      // median of the last payments, in USD cents
	Next     civil.Date // first expected day after the last payment; it may have passed
	Stopped  bool       // true if the payments after the last one are overdue

	schedule schedule
}

// First returns the day of the first payment.
func (s *Series) First() civil.Date { return s.Payments[0].Date }

// Last returns the day of the last payment.
func (s *Series) Last() civil.Date { return s.Payments[len(s.Payments)-1].Date }

// Expected returns the days from first to last on which payments are expected. today is the last
// day of which the ledger has all rows; first is later. A payment that was due up to today, but is
// not late yet, is expected on the day first. A series that has stopped has no expected days.
func (s *Series) Expected(today, first, last civil.Date) (days []civil.Date) {
	if s.Stopped {
		return nil
	}
	if s.Next.Before(first) && !s.IsLate(today) {
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
// payments are the earlier ones. Change returns false if the series is too short, or if a
// percentage would be meaningless.
func (s *Series) Change() (percent int64, since civil.Date, ok bool) {
	yearBefore := s.Last().AddMonths(-12)
	begin, _ := slices.BinarySearchFunc(s.Payments, yearBefore, func(p Payment, day civil.Date) int {
		return p.Date.Compare(day)
	})
	compared := usualOf
	if s.Rhythm == Yearly {
		compared = 1
	}
	last := len(s.Payments) - compared
	if begin+compared > last {
		return 0, since, false
	}
	earlier := s.Payments[begin : begin+compared]
	before := median(earlier)
	difference, ok := money.Add(median(s.Payments[last:]), -before)
	if !ok || before <= 0 || distance64(difference) > math.MaxInt64/100 {
		return 0, since, false
	}
	return difference * 100 / before, earlier[0].Date.FirstOfMonth(), true
}

// IsLate reports whether the next payment is still missing on the given day, after the days by
// which banks may delay it.
func (s *Series) IsLate(day civil.Date) bool {
	return s.Stopped || day.DaysSince(s.Next) > rules[s.Rhythm].late
}

// IsNew reports whether the payments began in the three months up to today, although the ledger
// begins at least three months before them.
func (s *Series) IsNew(ledgerBegins, today civil.Date) bool {
	return s.First().After(today.AddMonths(-3)) && ledgerBegins.Before(s.First().AddMonths(-3))
}

// usualOf is the number of payments whose median is the usual amount.
const usualOf = 3

func median(payments []Payment) int64 {
	cents := make([]int64, len(payments))
	for i, p := range payments {
		cents[i] = p.Cents
	}
	slices.Sort(cents)
	return cents[(len(cents)-1)/2]
}
