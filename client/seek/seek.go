// Package seek finds a date, a share or a row number in a ledger that answers only one
// question: how many rows are dated on or before a day (the filter's to and the summary's
// count; docs/api.md, Transaction totals).
package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// PageRows is the most rows of one request (docs/api.md, Transaction list).
const PageRows = 200

// Search finds a position in a listing, newest first. Next returns the day to ask about,
// Learn takes the response, and Place returns where to read rows.
//
// The search brackets the row between two days: hi, whose rows include it, and lo, whose
// rows do not. Rows are counted from the oldest, which is 1. It guesses a day from the
// density of rows just before hi, which is quick for an even ledger. After two poor guesses
// it bisects, which bounds the cost for an uneven one.
type Search struct {
	day    civil.Date // the day to find, while its newest row's number is unknown
	number int        // of the row to find; 0 if unknown
	missed bool       // no row is dated on or before the day
	total  int
	place  Place

	hi, lo      mark // lo is unknown without a date
	rows, days  int  // density: rows per days before hi; zero if unknown
	hits        int  // guesses in a row that moved hi
	poorGuesses int  // guesses in a row that gained little
	tooLow      bool // the last guess was too low
}

// mark is the number of rows dated on or before a date.
type mark struct {
	date civil.Date
	rows int
}

// Place is where to start reading a listing: at the newest row dated on or before Day, or
// at the newest of all if Day is zero. Page is the first page from there, or nil if the
// search did not read it.
type Place struct {
	Day   civil.Date
	Above int // number of newer rows
	Page  *apiclient.TransactionPage
}

// firstDay is the earliest date that the API can express.
var firstDay = civil.New(1, 1, 1)

// sampleDays is how far back the first guess goes while the density is unknown.
const sampleDays = 30

// New starts a search in a non-empty listing whose first page is head. No row is dated
// before first, if that is set.
func New(to position.Position, first civil.Date, head *apiclient.TransactionPage) *Search {
	q := &Search{total: int(head.Summary.Count), place: Place{Page: head}}
	newest := NewestDate(head.Data)
	q.setHigh(mark{newest, q.total}, head.Data)
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

// Know adds rows read earlier, which saves requests: the newest rows dated on or before
// day, with above newer ones in the listing. rows may be empty if they are no longer in
// memory.
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
		q.setHigh(begins, rows)
	}
}

// Next returns the day to ask about, or false when the search has ended.
func (q *Search) Next() (day civil.Date, more bool) {
	switch {
	case q.number == 0:
		return q.day, true
	case q.hi.rows-q.number < PageRows: // the row is on the page that begins at hi
		return civil.Date{}, false
	}
	return q.guess()
}

// Learn takes the first page of rows dated on or before day.
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

// Row returns the row to find, counted from 0, the newest. It returns false while only its
// day is known.
func (q *Search) Row() (row int, known bool) { return q.total - q.number, q.number > 0 }

// Place returns where to start reading to reach the row.
func (q *Search) Place() Place { return q.place }

// Missed reports whether no row is dated on or before the day. The search then finds the
// oldest row.
func (q *Search) Missed() bool { return q.missed }

func (q *Search) miss() { q.number, q.missed = 1, true }

// setHigh sets hi and the density of the rows that begin there.
func (q *Search) setHigh(hi mark, rows []apiclient.Transaction) {
	q.hi = hi
	for n := len(rows); n > 0; n-- {
		last := rows[n-1].Date
		if last.IsZero() {
			continue
		}
		// One or two days say little about the density before them.
		if days := hi.date.DaysSince(last); days >= 3 {
			q.rows, q.days = n, days
		}
		return
	}
}

// guess returns the next day to ask about, or false if hi is the row's own day.
func (q *Search) guess() (civil.Date, bool) {
	// Aim half a page before the row, so that the page contains it.
	aim := q.number + PageRows/2
	back := sampleDays
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
	case q.poorGuesses > 1, q.tooLow && q.lo.rows == 0:
		back = gap / 2
	case q.tooLow:
		back = gap * (q.hi.rows - aim) / max(1, q.hi.rows-q.lo.rows)
	}
	return q.hi.date.AddDays(-max(1, min(back, gap-1))), true
}

// narrow moves hi or lo by a response, and reports whether it moved hi.
func (q *Search) narrow(day civil.Date, answer *apiclient.TransactionPage) bool {
	count := int(answer.Summary.Count)
	wanted := max(1, q.number)
	if q.tooLow = count < wanted || len(answer.Data) == 0; q.tooLow {
		q.judge(wanted-q.lo.rows, wanted-count)
		q.lo = mark{day, count}
		return false
	}
	newest := answer.Data[0].Date
	// There are no rows between the newest row's date and day, so that date has the same
	// count.
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

// judge counts guesses that gained little: less than half of the rows between the bracket's
// end and the row.
func (q *Search) judge(before, after int) {
	if after > before/2 {
		q.poorGuesses++
	} else {
		q.poorGuesses = 0
	}
}

// NewestDate returns the date of the newest row that has one; unreadable rows may not.
func NewestDate(rows []apiclient.Transaction) civil.Date {
	for i := range rows {
		if !rows[i].Date.IsZero() {
			return rows[i].Date
		}
	}
	return civil.Date{}
}
