package plain

import (
	"context"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// mostSteps bounds the requests that looking for a row may take, and mostRead those
// that reading on to it from its day may.
const (
	mostSteps = 24
	mostRead  = 12
	readRows  = 200
)

// count asks how many rows the filter has, and says that there are none.
func (p *transactionsPage) count(s *session) bool {
	page, err := p.head(s, p.filter.To)
	if err != nil {
		s.failed("Transactions", err)
		return false
	}
	p.total = page.Summary
	if p.total.Count == 0 {
		s.say("There are no transactions to go to.")
		return false
	}
	return true
}

// head asks for the newest row of a day or before it.
func (p *transactionsPage) head(s *session, day civil.Date) (*apiclient.TransactionPage, error) {
	q := p.filter
	q.To, q.Limit = day, 1
	return ask(s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return s.server.Client.TransactionPage(ctx, q)
	})
}

// toDay says the rows of a day and before it.
func (p *transactionsPage) toDay(s *session, day civil.Date) error {
	if to := p.filter.To; !to.IsZero() && !day.Before(to) {
		return p.begin(s)
	}
	page, err := p.head(s, day)
	switch {
	case err != nil:
		s.failed("Transactions", err)
		return nil
	case page.Summary.Count == 0:
		s.say("Nothing is dated %s or before; these are the oldest.", day)
		return p.to(s, int(p.total.Count)-1)
	}
	q := p.filter
	q.To = day
	p.fetch(s, q, int(p.total.Count-page.Summary.Count))
	return nil
}

// to says the rows from a number on, counted from 0. The API has no numbers: days are
// asked about until the one of the row is found, and read on from there.
func (p *transactionsPage) to(s *session, row int) error {
	if p.total.Count == 0 && !p.count(s) {
		return nil
	}
	row = max(0, min(row, int(p.total.Count)-1))
	if row == 0 {
		return p.begin(s)
	}
	day, above, err := findDay(int(p.total.Count), row, p.filter.From, func(day civil.Date) (int, civil.Date, error) {
		page, err := p.head(s, p.within(day))
		if err != nil || len(page.Data) == 0 {
			return 0, civil.Date{}, err
		}
		newest := page.Data[0].Date
		if newest.IsZero() { // it could not be read
			newest = day
		}
		return int(page.Summary.Count), newest, nil
	})
	if err != nil {
		s.failed("Transactions", err)
		return nil
	}
	q := p.filter
	q.To = p.within(day)
	q.Cursor, above, err = p.readOn(s, q, above, row)
	if err != nil {
		s.failed("Transactions", err)
		return nil
	}
	if above < row {
		s.say("Row %s is as near as %d requests lead; the same again does not lead further, next does.", money.Count(int64(above+1)), mostRead)
	}
	p.fetch(s, q, above)
	return nil
}

// within is a day, or the filter's last where that is earlier.
func (p *transactionsPage) within(day civil.Date) civil.Date {
	if to := p.filter.To; !to.IsZero() && to.Before(day) {
		return to
	}
	return day
}

// readOn returns the cursor of the page that begins with a row, and the number of the
// row that it begins with: one before it where that takes too many requests.
func (p *transactionsPage) readOn(s *session, q apiclient.TransactionQuery, above, row int) (cursor string, at int, err error) {
	for range mostRead {
		if above >= row {
			break
		}
		q.Limit = min(readRows, row-above)
		page, err := ask(s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
			return s.server.Client.TransactionPage(ctx, q)
		})
		if err != nil {
			return "", 0, err
		}
		if page.NextCursor == "" {
			break
		}
		q.Cursor = page.NextCursor
		above += len(page.Data)
	}
	return q.Cursor, above, nil
}

// findDay returns the latest day such that the row is among those dated on it or
// before, and how many rows lie above that day's: rows are counted from 0, the newest,
// of total, none of them before the day first, which may be zero. upTo says how many
// rows are dated on a day or before it, and the date of the newest of those. It halves
// the days between, after doubling steps back.
func findDay(total, row int, first civil.Date, upTo func(day civil.Date) (count int, newest civil.Date, err error)) (day civil.Date, above int, err error) {
	// The row is in hi and not in lo.
	atHi, hi, err := upTo(civil.New(9999, 12, 31))
	if err != nil || atHi == 0 {
		return hi, 0, err
	}
	var lo civil.Date
	if !first.IsZero() {
		lo = first.AddDays(-1)
	}
	step := 32
	for range mostSteps {
		var middle civil.Date
		switch gap := hi.DaysSince(lo); {
		case lo.IsZero():
			middle = hi.AddDays(-min(step, hi.DaysSince(civil.New(1, 1, 1))))
			step *= 2
		case gap <= 1:
			return hi, total - atHi, nil
		default:
			middle = hi.AddDays(-gap / 2)
		}
		count, newest, err := upTo(middle)
		if err != nil {
			return day, 0, err
		}
		if count < total-row {
			lo = middle
			continue
		}
		hi, atHi = middle, count
		// No row lies between the two.
		if newest.Before(hi) && (lo.IsZero() || newest.After(lo)) {
			hi = newest
		}
	}
	return hi, total - atHi, nil
}
