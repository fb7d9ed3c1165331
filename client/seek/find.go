package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// maxRequests is the maximum number of requests of one search. To bisect all days of the calendar
// takes 22.
const maxRequests = 24

// Find runs a search until it ends. The function upTo requests the first page of rows dated on or
// before a day, newest first. The search ends with the first error of upTo. The other arguments
// have the same meaning as in New.
func Find(
	to position.Position, firstDay civil.Date, head *apiclient.TransactionPage,
	upTo func(day civil.Date) (*apiclient.TransactionPage, error),
) (*Search, error) {
	q := New(to, firstDay, head)
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

// MaxFurther is the maximum number of pages that Locate reads after the page of the day that it
// found.
const MaxFurther = 12

// Found says where the row of a position is in a listing.
type Found struct {
	Query        apiclient.TransactionQuery // query for the page that begins with row At
	At           int                        // number of the first row of that page, counted from 0; at most Row
	Row          int                        // number of the position's row, from 0
	BeforeOldest bool                       // the position is a day before the date of the oldest row
	Summary      apiclient.Summary          // summary of the whole listing
}

// Locate finds a position in the listing that q selects. It returns the first error of fetch. If
// the row is still too far away after MaxFurther pages, At is less than Row.
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
	return found, found.advanceToRow(fetch)
}

// advanceToRow advances the page until it begins with the position's row.
func (f *Found) advanceToRow(fetch func(q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)) error {
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
