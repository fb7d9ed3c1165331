package history

import (
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// decision is the user's answer to a Question.
type decision int

const (
	undecided decision = iota
	granted
	refused
)

// Question asks whether to read a history of more than LargeHistory rows.
type Question struct {
	Rows  int64         // number of rows in all months
	Takes time.Duration // estimate of the time that it takes to read the rows that are missing
}

// Question returns the question that stops the reading. It returns false if there is none. rate is
// the rate limit that the server announces, or zero.
func (r *Reader) Question(rate apiclient.Rate) (q Question, open bool) {
	if !r.asks() {
		return q, false
	}
	p := r.Progress()
	return Question{Rows: p.AllRows, Takes: r.estimate(p.AllRows-p.Rows, rate)}, true
}

// asks reports whether a question stops the reading. The rows that have been read count too,
// because a server may count fewer rows than it sends.
func (r *Reader) asks() bool {
	return r.decision == undecided && r.Progress().AllRows > LargeHistory &&
		slices.ContainsFunc(r.queue, func(l listing) bool {
			_, read := r.months[l.query.From]
			return l.kind == monthRows && !read
		})
}

// estimate returns the time that it takes to read rows: at the speed of the requests so far, but
// not faster than the rate limit allows.
func (r *Reader) estimate(rows int64, rate apiclient.Rate) time.Duration {
	requests := float64(rows)/pageSize + float64(len(r.span)-len(r.months))
	takes := requests * float64(r.took) / float64(max(1, r.requestsTaken))
	if rate.Limit > 0 {
		takes = max(takes, (requests-float64(rate.Remaining))/float64(rate.Limit)*float64(rate.Window))
	}
	const longest = 1000 * 24 * time.Hour
	return time.Duration(min(takes, float64(longest)))
}

// ReadLarge answers the question: the next steps read all months, whatever their number of rows. It
// can be called after ReadNewest too.
func (r *Reader) ReadLarge() {
	r.decision = granted
	r.ReadAgain(r.span, func(civil.Date) bool { return false })
}

// ReadNewest answers the question: the next steps read only the newest months, as far as they have
// at most LargeHistory rows together.
func (r *Reader) ReadNewest() {
	r.decision = refused
	r.leaveOutRefused()
}

// AskAgain withdraws the answer ReadNewest: if months are left out, the question is asked again.
func (r *Reader) AskAgain() {
	if r.decision == refused {
		r.decision = undecided
	}
}

// IsLimited reports whether older months are left out because the user chose to read only the
// newest ones.
func (r *Reader) IsLimited() bool {
	return r.decision == refused && len(r.queue) == 0 && len(r.months) < len(r.span)
}

// leaveOutRefused empties the queue if the user chose to read only the newest months, and the month
// under way would exceed LargeHistory rows.
func (r *Reader) leaveOutRefused() {
	if r.decision != refused || len(r.queue) == 0 || r.queue[0].kind != monthRows {
		return
	}
	l := &r.queue[0]
	others := r.rowsRead() - int64(len(r.months[l.query.From].rows))
	if others+max(l.summary.Count, l.listed) > LargeHistory {
		r.generation++ // drops the outcome of a step under way
		r.queue = nil
		r.outdated = r.outdated || r.ledger == nil
	}
}
