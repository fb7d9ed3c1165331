package recurrence

import "tarmac/internal/civil"

// Rhythm says how often a payment recurs.
type Rhythm int

// Values of Rhythm.
const (
	Weekly Rhythm = iota
	EveryTwoWeeks
	TwiceAMonth
	Monthly
	Quarterly
	Yearly
)

// String returns the rhythm in words, such as "twice a month".
func (r Rhythm) String() string {
	return [...]string{"weekly", "every two weeks", "twice a month", "monthly", "quarterly", "yearly"}[r]
}

// PerYear returns the number of payments in a year.
func (r Rhythm) PerYear() int64 { return [...]int64{52, 26, 24, 12, 4, 1}[r] }

// rule holds the conditions for a series of a rhythm.
type rule struct {
	// A payment is on time if it is made at most early days before or late days after its expected
	// day. Banks move payments off weekends and holidays.
	early, late int
	least       int // least number of payments
}

var rules = [...]rule{
	Weekly:        {1, 2, 5},
	EveryTwoWeeks: {2, 3, 4},
	TwiceAMonth:   {3, 4, 5},
	Monthly:       {4, 5, 3},
	Quarterly:     {10, 12, 3},
	Yearly:        {15, 20, 2},
}

// schedule is a rhythm with the calendar days on which payments are expected. For weekly rhythms,
// day is the number of days by which the first expected day follows the Monday 5 January 1970. For
// others, day is the day of the month, second is the later one of two days in a month, and month is
// the offset in months of the first expected month. A day beyond the end of a month means its last
// day.
type schedule struct {
	Rhythm
	day, second, month int
}

// expected returns the expected day with the given index. Indices count from 1970 on.
func (s schedule) expected(index int) int {
	switch s.Rhythm {
	case Weekly:
		return firstMonday + 7*index + s.day
	case EveryTwoWeeks:
		return firstMonday + 14*index + s.day
	case TwiceAMonth:
		if index&1 == 1 {
			return dayOfMonth(index/2, s.second)
		}
		return dayOfMonth(index/2, s.day)
	}
	return dayOfMonth(index*s.months()+s.month, s.day)
}

// months returns the number of months between two expected days of a rhythm of whole months.
func (s schedule) months() int { return 12 / int(s.PerYear()) }

// from returns the index of the last expected day up to and including the given day.
func (s schedule) from(day int) int {
	var index int
	switch s.Rhythm {
	case Weekly:
		index = (day - firstMonday - s.day) / 7
	case EveryTwoWeeks:
		index = (day - firstMonday - s.day) / 14
	case TwiceAMonth:
		index = 2*monthIndex(day) + 1
	default:
		index = (monthIndex(day) - s.month) / s.months()
	}
	for s.expected(index) > day {
		index--
	}
	return index
}

func distance(days int) int { return max(days, -days) }

// firstMonday is the number of days from 1 January to the first Monday of 1970.
const firstMonday = 4

var epoch = civil.New(1970, 1, 1)

// number returns the number of days from 1 January 1970 to d.
func number(d civil.Date) int { return d.DaysSince(epoch) }

func date(day int) civil.Date { return epoch.AddDays(day) }

// monthIndex returns the number of months from January 1970 to the month of a day.
func monthIndex(day int) int {
	index := day*12/365 + 1 // never too low, and at most a few months too high
	for firstOfMonth(index) > day {
		index--
	}
	return index
}

// firstOfMonth returns the first day of the month with the given index. It does not use package
// civil, which would be too slow for the thousands of dates of a search.
func firstOfMonth(index int) int {
	// In a year that begins in March, a leap day is the last day.
	year, month := 1970+(index+10)/12-1, (index+10)%12
	return year*365 + year/4 - year/100 + year/400 + (153*month+2)/5 - daysUntil1970
}

// daysUntil1970 is the number of days from 1 March of the year 0 to 1 January 1970.
const daysUntil1970 = 719_468

// dayOfMonth returns a day of the month with the given index, or the last day if the month is
// shorter.
func dayOfMonth(index, day int) int {
	return min(firstOfMonth(index)+day, firstOfMonth(index+1)) - 1
}
