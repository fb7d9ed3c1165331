package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// maxRequests limits the requests of one search. Bisecting all days of the calendar takes 22.
const maxRequests = 24

// Find runs a search to its end. upTo requests the first page of rows dated on or before a day,
// newest first; its first error ends the search. See New for the other arguments.
func Find(
	to position.Position, first civil.Date, head *apiclient.TransactionPage,
	upTo func(day civil.Date) (*apiclient.TransactionPage, error),
) (*Search, error) {
	q := New(to, first, head)
	for range maxRequests {
		day, more := q.Next()
		if !more {
			break
		}
		page, err := upTo(day)
		if err != nil {
			return nil, err
		}
		q.AddPage(day, page)
	}
	return q, nil
}

// MaxFurther is the most pages that Locate reads on from the day that it found.
const MaxFurther = 12

// Found is where to read a position in a listing.
type Found struct {
	Query        apiclient.TransactionQuery // of the page that begins at row At
	At           int                        // row that the page begins with, counted from 0; at most Row
	Row          int                        // row of the position
	BeforeOldest bool                       // no row is dated on or before the position's day
	Summary      apiclient.Summary          // of the whole listing
}

// Locate finds a position in the listing that q selects, and returns the first error of
// fetch. At is less than Row if the row was still too far away after MaxFurther pages.
func Locate(
	to position.Position, q apiclient.TransactionQuery,
	fetch func(q apiclient.TransactionQuery) (*apiclient.TransactionPage, error),
) (Found, error) {
	upTo := func(day civil.Date, limit int) (*apiclient.TransactionPage, error) {
		some := q
		some.To, some.Limit = day, limit
		return fetch(some)
	}
	head, err := upTo(q.To, PageRows)
	if err != nil || head.Summary.Count == 0 {
		return Found{Query: q}, err
	}
	search, err := Find(to, q.From, head, func(day civil.Date) (*apiclient.TransactionPage, error) {
		return upTo(day, 1)
	})
	if err != nil {
		return Found{}, err
	}
	row, _ := search.Row()
	found := Found{Query: q, Row: row, BeforeOldest: search.IsBeforeOldest(), Summary: head.Summary}
	if start := search.Start(); row > 0 {
		found.At = start.NewerRows
		if !start.Day.IsZero() {
			found.Query.To = start.Day
		}
	}
	return found, found.readOn(fetch)
}

// readOn moves the page ahead until it begins with the row.
func (f *Found) readOn(fetch func(q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)) error {
	for i := 0; i < MaxFurther && f.At < f.Row; i++ {
		f.Query.Limit = min(PageRows, f.Row-f.At)
		page, err := fetch(f.Query)
		if err != nil {
			return err
		}
		next, more, err := page.Next(f.Query)
		if err != nil || !more {
			return err
		}
		f.Query = next
		f.At += len(page.Data)
	}
	return nil
}
