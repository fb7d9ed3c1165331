package transactions

import (
	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// mark is how many rows are dated on a day or before it.
type mark struct {
	date civil.Date
	rows int
}

// search finds the day of a row in a ledger that only says how many rows are dated
// on a day or before it (the filter's to, and the summary's count; docs/api.md,
// Transaction totals). need is the row's number counted from the oldest, which is 1.
// The row is in hi and not in lo; a lo without a date is not known yet.
//
// A day is guessed by how densely rows lay between the last two hi, which soon
// meets an even ledger; where a guess brought little, the days between are halved,
// which bounds what an uneven one costs.
type search struct {
	need       int
	hi, lo     mark
	rows, days int // so many rows in so many days, last seen before hi; none: not known
	hits       int // days in turn that were still in hi
	short      int // guesses in turn that brought little
	low        bool
}

// firstDay is the earliest that the API's dates can say.
var firstDay = civil.New(1, 1, 1)

// glance is how many days back rows are counted to learn how densely they lie.
const glance = 30

// from sets out at the newest of all rows that are looked among.
func (q *search) from(hi mark, page []apiclient.Transaction) {
	q.hi = hi
	if n := len(page); n > 0 {
		// A page of a day or two says little of the days before.
		if days := hi.date.DaysSince(page[n-1].Date); days >= 3 {
			q.rows, q.days = n, days
		}
	}
}

// near reports whether the row is in the page that begins at hi.
func (q *search) near() bool { return q.hi.rows-q.need < pageRows }

// next returns the day to ask about; none when hi is the day of the row.
func (q *search) next() (civil.Date, bool) {
	// The aim is half a page before the row, so that the page holds it.
	aim := q.need + pageRows/2
	back := glance
	if q.rows > 0 {
		back = (q.hi.rows - aim) * q.days / q.rows
	}
	if q.lo.date.IsZero() {
		back = max(1, back) << max(0, min(q.hits-3, 20))
		back = min(back, q.hi.date.DaysSince(firstDay))
		return q.hi.date.AddDays(-back), back > 0
	}
	gap := q.hi.date.DaysSince(q.lo.date)
	if gap <= 1 {
		return civil.Date{}, false
	}
	switch {
	case q.short > 1, q.low && q.lo.rows == 0:
		back = gap / 2
	case q.low:
		back = gap * (q.hi.rows - aim) / max(1, q.hi.rows-q.lo.rows)
	}
	return q.hi.date.AddDays(-max(1, min(back, gap-1))), true
}

// learn takes the answer about a day and reports whether it is the new hi.
func (q *search) learn(day civil.Date, answer *apiclient.TransactionPage) bool {
	count := int(answer.Summary.Count)
	if q.low = count < q.need || len(answer.Data) == 0; q.low {
		q.note(q.need-q.lo.rows, q.need-count)
		q.lo = mark{day, count}
		return false
	}
	newest := answer.Data[0].Date
	// No row lies between the day and the first row, so that this one says the same.
	if newest.After(day) || !newest.After(q.lo.date) {
		newest = day
	}
	q.note(q.hi.rows-q.need, count-q.need)
	if rows := q.hi.rows - count; rows > 0 {
		q.rows, q.days = rows, q.hi.date.DaysSince(newest)
	}
	q.hi = mark{newest, count}
	q.hits++
	return true
}

// note judges a guess by how many rows lay between it and the row before and after.
func (q *search) note(before, after int) {
	if after > before/2 {
		q.short++
	} else {
		q.short = 0
	}
}
