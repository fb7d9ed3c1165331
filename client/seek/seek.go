// Package seek finds a date, a percentage or a row number in the ledger by bisection. The API has
// no page numbers. But a listing with the filter "to" begins with that day, and its summary counts
// the rows dated on or before the day (docs/api.md, Transaction totals).
package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// PageRows is the maximum number of rows per request (docs/api.md, Transaction list).
const PageRows = 200

// MostRows is the maximum number of rows that are read to sort or to search them: 25 requests.
const MostRows = 25 * PageRows

// Search finds a row in a listing whose newest row comes first. Next returns the day to request,
// and AddPage takes the response. When Next returns no day, Start says where to read the row.
//
// The search narrows two bounds, hi and lo. The rows dated on or before hi include the wanted row,
// and those dated on or before lo do not. Rows are counted from 1, the oldest. Each guess between
// the bounds assumes that rows are as dense as just before hi. For an evenly filled ledger, this
// takes few requests. After two poor guesses, the search bisects, which limits the number of
// requests for an uneven ledger.
type Search struct {
	day          civil.Date // the day to find, as long as the number of its newest row is unknown
	number       int        // number of the row to find; 0 as long as it is unknown
	beforeOldest bool       // no row is dated on or before the day to find
	total        int
	start        Start

	hi, lo bound // lo has no date as long as it is unknown
	// Density of rows before hi: there are rows rows in the days days before hi. Both are 0 as long
	// as the density is unknown.
	rows, days  int
	lowered     int  // number of guesses that have lowered hi
	poorGuesses int  // number of consecutive poor guesses; see countPoorGuess
	tooLow      bool // the latest guess has raised lo
}

// bound is the number of rows dated on or before a date.
type bound struct {
	date civil.Date
	rows int
}

// Start says where to start reading a listing: at the newest row dated on or before Day or, if Day
// is zero, at the newest row of all. Page is the first page from there. It is nil if the search has
// not read that page.
type Start struct {
	Day       civil.Date
	NewerRows int // number of rows in the listing that are newer than those of Page
	Page      *apiclient.TransactionPage
}

// firstDay is the earliest date that the API's date format can express.
var firstDay = civil.New(1, 1, 1)

// sampleDays is the distance in days from the newest possible day to the next guess, as long as the
// density of rows is unknown.
const sampleDays = 30

// New starts a search in a listing that is not empty and whose first page is head. If the listing
// is filtered by a first day, firstDay is that day. Otherwise it is the zero date.
func New(to position.Position, firstDay civil.Date, head *apiclient.TransactionPage) *Search {
	q := &Search{total: int(head.Summary.Count), start: Start{Page: head}}
	newest := NewestDate(head.Data)
	q.setHigh(bound{newest, q.total}, head.Data)
	if !firstDay.IsZero() {
		q.lo.date = firstDay.AddDays(-1)
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

// AddRows makes use of rows that were read before the search, which saves requests. rows are the
// newest rows dated on or before day, and newer is the number of rows in the listing that are
// newer. If only newer is known, rows may be empty.
func (q *Search) AddRows(day civil.Date, newer int, rows []apiclient.Transaction) {
	begins := bound{day, q.total - newer}
	switch {
	case q.number == 0:
	case begins.rows < q.number:
		q.lo = begins
	case len(rows) > 0:
		q.start = Start{Day: day, NewerRows: newer}
		if newest := NewestDate(rows); !newest.IsZero() {
			begins.date = newest
		}
		q.setHigh(begins, rows)
	}
}

// Next returns the next day to request. It returns false when the search has ended.
func (q *Search) Next() (day civil.Date, more bool) {
	switch {
	case q.number == 0:
		return q.day, true
	case q.hi.rows-q.number < PageRows: // the row is on the page that begins with hi
		return civil.Date{}, false
	}
	return q.guess()
}

// AddPage takes the response to the request for a day: the first page of rows dated on or before
// that day.
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

// Row returns the number of the row to find, counted from 0, the newest. It returns false as long
// as only the day of the row is known.
func (q *Search) Row() (row int, known bool) { return q.total - q.number, q.number > 0 }

// Start says where to start reading the listing in order to reach the row to find.
func (q *Search) Start() Start { return q.start }

// IsBeforeOldest reports whether the day to find is before the date of the oldest row. In that
// case, the search finds the oldest row.
func (q *Search) IsBeforeOldest() bool { return q.beforeOldest }

func (q *Search) chooseOldest() { q.number, q.beforeOldest = 1, true }

// setHigh sets the bound hi. It computes the density of rows from rows, the newest ones dated on or
// before hi.
func (q *Search) setHigh(hi bound, rows []apiclient.Transaction) {
	q.hi = hi
	for n := len(rows); n > 0; n-- {
		last := rows[n-1].Date
		if last.IsZero() {
			continue
		}
		// A span of one or two days says little about the density before it.
		if days := hi.date.DaysSince(last); days >= 3 {
			q.rows, q.days = n, days
		}
		return
	}
}

// guess returns the next day to request. It returns false if hi is the day of the row to find.
func (q *Search) guess() (civil.Date, bool) {
	// Aim half a page before the row, so that the requested page contains it.
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

// narrow moves hi or lo to the requested day; the number of rows in the response decides which. It
// reports whether it moved hi.
func (q *Search) narrow(day civil.Date, answer *apiclient.TransactionPage) bool {
	count := int(answer.Summary.Count)
	wanted := max(1, q.number)
	if q.tooLow = count < wanted || len(answer.Data) == 0; q.tooLow {
		q.countPoorGuess(wanted-q.lo.rows, wanted-count)
		q.lo = bound{day, count}
		return false
	}
	newest := answer.Data[0].Date
	// No row is dated between the newest row on the page and the requested day, so the count is
	// valid for both dates.
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

// countPoorGuess counts consecutive poor guesses. A guess moves one bound closer to the wanted row.
// It is poor if it leaves more than half of the rows between that bound and the wanted row.
// rowsBefore and rowsAfter are the numbers of these rows before and after the guess.
func (q *Search) countPoorGuess(rowsBefore, rowsAfter int) {
	if rowsAfter > rowsBefore/2 {
		q.poorGuesses++
	} else {
		q.poorGuesses = 0
	}
}

// NewestDate returns the date of the newest row that has a date. Rows that could not be decoded may
// have none.
func NewestDate(rows []apiclient.Transaction) civil.Date {
	for i := range rows {
		if !rows[i].Date.IsZero() {
			return rows[i].Date
		}
	}
	return civil.Date{}
}
