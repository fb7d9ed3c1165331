package seek

import (
	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/internal/civil"
)

// mostDays bounds how many days Find asks about.
const mostDays = 24

// Find carries out the search that New begins: upTo returns the newest rows, one at least, that
// are dated on a day or before it. It ends with the first error of upTo.
func Find(
	to position.Position, first civil.Date, head *apiclient.TransactionPage,
	upTo func(day civil.Date) (*apiclient.TransactionPage, error),
) (*Search, error) {
	q := New(to, first, head)
	for range mostDays {
		day, more := q.Next()
		if !more {
			break
		}
		answer, err := upTo(day)
		if err != nil {
			return nil, err
		}
		q.Learn(day, answer)
	}
	return q, nil
}
