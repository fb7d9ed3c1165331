package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// maxRequests is the most requests that Find makes.
const maxRequests = 24

// Find runs a search to its end. upTo returns the newest rows, at least one, dated on or
// before a day; Find returns its first error.
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
