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
	day          civil.Date // the day to find, while its newest row's number is unknown
	number       int        // of the row to find; 0 if unknown
	beforeOldest bool       // no row is dated on or before the day
	total        int
	start        Start

	hi, lo      bound // lo is unknown without a date
	rows, days  int   // density: rows per days before hi; zero if unknown
	lowered     int   // guesses in a row that moved hi
	poorGuesses int   // guesses in a row that gained little
	tooLow      bool  // the last guess was too low
}

// bound is the number of rows dated on or before a date.
type bound struct {
	date civil.Date
	rows int
}

// Start is where to start reading a listing: at the newest row dated on or before Day, or
// at the newest of all if Day is zero. Page is the first page from there, or nil if the
// search did not read it.
type Start struct {
	Day       civil.Date
	NewerRows int // number of newer rows
	Page      *apiclient.TransactionPage
}

// firstDay is the earliest date that the API can express.
var firstDay = civil.New(1, 1, 1)

// sampleDays is how far back the first guess goes while the density is unknown.
const sampleDays = 30

// New starts a search in a non-empty listing whose first page is head. No row is dated
// before first, if that is set.
func New(to position.Position, first civil.Date, head *apiclient.TransactionPage) *Search {
	q := &Search{total: int(head.Summary.Count), start: Start{Page: head}}
	newest := NewestDate(head.Data)
	q.setHigh(bound{newest, q.total}, head.Data)
	if !first.IsZero() {
		q.lo.date = first.AddDays(-1)
	}
	row, numbered := to.RowIn(q.total)
	switch {
	case numbered:
		q.number = q.total - row
	case !to.Day.Before(newest):
		q.number = q.total
	case !q.lo.date.IsZero() && !to.Day.After(q.lo.date):
		q.chooseOldest()
	default:
		q.day = to.Day
	}
	return q
}

// AddRows adds rows read earlier, which saves requests: the newest rows dated on or before
// day, with above newer ones in the listing. rows may be empty if they are no longer in
// memory.
func (q *Search) AddRows(day civil.Date, above int, rows []apiclient.Transaction) {
	begins := bound{day, q.total - above}
	switch {
	case q.number == 0:
	case begins.rows < q.number:
		q.lo = begins
	case len(rows) > 0:
		q.start = Start{Day: day, NewerRows: above}
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

// AddPage takes the first page of rows dated on or before day.
func (q *Search) AddPage(day civil.Date, answer *apiclient.TransactionPage) {
	hit := q.narrow(day, answer)
	if hit {
		q.start = Start{Day: day, NewerRows: q.total - q.hi.rows, Page: answer}
	}
	switch {
	case q.number > 0:
	case hit:
		q.number = q.hi.rows
	default:
		q.chooseOldest()
	}
}

// Row returns the row to find, counted from 0, the newest. It returns false while only its
// day is known.
func (q *Search) Row() (row int, known bool) { return q.total - q.number, q.number > 0 }

// Start returns where to start reading to reach the row.
func (q *Search) Start() Start { return q.start }

// IsBeforeOldest reports whether no row is dated on or before the day. The search then finds the
// oldest row.
func (q *Search) IsBeforeOldest() bool { return q.beforeOldest }

func (q *Search) chooseOldest() { q.number, q.beforeOldest = 1, true }

// setHigh sets hi and the density of the rows that begin there.
func (q *Search) setHigh(hi bound, rows []apiclient.Transaction) {
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
		back = max(1, back) << max(0, min(q.lowered-3, 20))
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
		q.countPoorGuess(wanted-q.lo.rows, wanted-count)
		q.lo = bound{day, count}
		return false
	}
	newest := answer.Data[0].Date
	// There are no rows between the newest row's date and day, so that date has the same
	// count.
	if newest.After(day) || !newest.After(q.lo.date) {
		newest = day
	}
	q.countPoorGuess(q.hi.rows-wanted, count-wanted)
	if rows := q.hi.rows - count; rows > 0 {
		q.rows, q.days = rows, q.hi.date.DaysSince(newest)
	}
	q.hi = bound{newest, count}
	q.lowered++
	return true
}

// countPoorGuess counts the poor guesses in a row. A guess is poor if it removed less than half of
// the rows between the row to find and the bound that the guess moved: before such rows were
// left, now after are.
func (q *Search) countPoorGuess(before, after int) {
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
