// Package seek finds the place of a date, a share or a row in a ledger that can only be asked
// by day: how many rows are dated on a day or before it (the filter's to, and the summary's
// count; docs/api.md, Transaction totals).
package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// PageRows is how many rows one request may ask for (docs/api.md, Transaction list).
const PageRows = 200

// Search leads to a position in a listing, newest first: Next returns the day to ask about,
// Learn takes the answer, and Place is where rows are to be read from.
//
// Numbers are counted from the oldest row, which is 1: the row is in hi and not in lo. A day
// is guessed by how densely rows lay between the last two hi, which soon meets an even ledger;
// where guesses brought little the days between are halved, which bounds the cost of an uneven
// one.
type Search struct {
	day    civil.Date // looked for, while the number of its newest row is not known
	number int        // of the row that is looked for; 0: not known
	missed bool       // nothing is dated on the day or before it
	total  int
	place  Place

	hi, lo     mark // a lo without a date is not known
	rows, days int  // so many rows in so many days, last seen before hi; none: not known
	hits       int  // days in turn that were still in hi
	short      int  // guesses in turn that brought little
	low        bool // the last guess was too low
}

// mark is how many rows are dated on a day or before it.
type mark struct {
	date civil.Date
	rows int
}

// Place is where in a listing a run of rows begins: with the newest row that is dated on Day or
// before it, or with the newest of all where Day is zero. Page is the first page of the run,
// nil where it was not read for the search.
type Place struct {
	Day   civil.Date
	Above int // rows of the listing above the run
	Page  *apiclient.TransactionPage
}

// firstDay is the earliest that the API's dates can say.
var firstDay = civil.New(1, 1, 1)

// glance is how many days back rows are counted to learn how densely they lie.
const glance = 30

// New begins a search in a listing of which the first page is known, and which has no rows
// dated before the day first; a zero first bounds nothing. The listing must not be empty.
func New(to position.Position, first civil.Date, head *apiclient.TransactionPage) *Search {
	q := &Search{total: int(head.Summary.Count), place: Place{Page: head}}
	newest := NewestDate(head.Data)
	q.reach(mark{newest, q.total}, head.Data)
	if !first.IsZero() {
		q.lo.date = first.AddDays(-1)
	}
	row, numbered := to.Of(q.total)
	switch {
	case numbered:
		q.number = q.total - row
	case !to.Day.Before(newest):
		q.number = q.total
	case !q.lo.date.IsZero() && !to.Day.After(q.lo.date):
		q.miss()
	default:
		q.day = to.Day
	}
	return q
}

// Know takes rows that were read before, which spares questions: those dated on a day or
// before it, with so many rows above them. None may be given where they are not kept.
func (q *Search) Know(day civil.Date, above int, rows []apiclient.Transaction) {
	begins := mark{day, q.total - above}
	switch {
	case q.number == 0:
	case begins.rows < q.number:
		q.lo = begins
	case len(rows) > 0:
		q.place = Place{Day: day, Above: above}
		if newest := NewestDate(rows); !newest.IsZero() {
			begins.date = newest
		}
		q.reach(begins, rows)
	}
}

// Next returns the day to ask about; false where Place is as near as days lead.
func (q *Search) Next() (day civil.Date, more bool) {
	switch {
	case q.number == 0:
		return q.day, true
	case q.hi.rows-q.number < PageRows: // the row is in the page that begins at hi
		return civil.Date{}, false
	}
	return q.guess()
}

// Learn takes the first page of the rows dated on a day or before it.
func (q *Search) Learn(day civil.Date, answer *apiclient.TransactionPage) {
	hit := q.narrow(day, answer)
	if hit {
		q.place = Place{Day: day, Above: q.total - q.hi.rows, Page: answer}
	}
	switch {
	case q.number > 0:
	case hit:
		q.number = q.hi.rows
	default:
		q.miss()
	}
}

// Row returns which row is looked for, counted from 0, the newest; false while only its day is
// known.
func (q *Search) Row() (row int, known bool) { return q.total - q.number, q.number > 0 }

// Place returns where the rows begin of which one is looked for.
func (q *Search) Place() Place { return q.place }

// Missed reports whether nothing is dated on the day or before it. The search leads to the
// oldest row instead.
func (q *Search) Missed() bool { return q.missed }

func (q *Search) miss() { q.number, q.missed = 1, true }

// reach sets hi, with the rows that begin there.
func (q *Search) reach(hi mark, rows []apiclient.Transaction) {
	q.hi = hi
	for n := len(rows); n > 0; n-- {
		last := rows[n-1].Date
		if last.IsZero() {
			continue
		}
		// A page of a day or two says little of the days before.
		if days := hi.date.DaysSince(last); days >= 3 {
			q.rows, q.days = n, days
		}
		return
	}
}

// guess returns the day to ask about; false where hi is the day of the row.
func (q *Search) guess() (civil.Date, bool) {
	// The aim is half a page before the row, so that the page holds it.
	aim := q.number + PageRows/2
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

// narrow takes the answer about a day and reports whether it is the new hi.
func (q *Search) narrow(day civil.Date, answer *apiclient.TransactionPage) bool {
	count := int(answer.Summary.Count)
	wanted := max(1, q.number)
	if q.low = count < wanted || len(answer.Data) == 0; q.low {
		q.judge(wanted-q.lo.rows, wanted-count)
		q.lo = mark{day, count}
		return false
	}
	newest := answer.Data[0].Date
	// No row lies between the day and the first row, so that this one says the same.
	if newest.After(day) || !newest.After(q.lo.date) {
		newest = day
	}
	q.judge(q.hi.rows-wanted, count-wanted)
	if rows := q.hi.rows - count; rows > 0 {
		q.rows, q.days = rows, q.hi.date.DaysSince(newest)
	}
	q.hi = mark{newest, count}
	q.hits++
	return true
}

// judge notes whether a guess brought little: by how many rows lay between it and the row
// before and after.
func (q *Search) judge(before, after int) {
	if after > before/2 {
		q.short++
	} else {
		q.short = 0
	}
}

// NewestDate returns the date of the newest row that has one: a row that could not be read may
// have none.
func NewestDate(rows []apiclient.Transaction) civil.Date {
	for i := range rows {
		if !rows[i].Date.IsZero() {
			return rows[i].Date
		}
	}
	return civil.Date{}
}
