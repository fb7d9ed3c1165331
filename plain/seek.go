package plain

import (
	"context"

	"tarmac/apiclient"
	"tarmac/client/position"
	"tarmac/client/seek"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// maxPageRequests is the maximum number of requests to find a row within a day.
const maxPageRequests = 12

// upTo requests the newest rows dated on or before a day.
func (p *transactionsPage) upTo(s *session, day civil.Date, limit int) (*apiclient.TransactionPage, error) {
	q := p.filter
	q.To, q.Limit = day, limit
	return ask(s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return s.server.Client.TransactionPage(ctx, q)
	})
}

// to prints the rows from a position on.
func (p *transactionsPage) to(s *session, to position.Position) error {
	head, err := p.upTo(s, p.filter.To, seek.PageRows)
	if err != nil {
		s.failed("Transactions", err)
		return nil
	}
	if p.total = head.Summary; p.total.Count == 0 {
		s.say("No transactions to go to.")
		return nil
	}
	found, err := seek.Find(to, p.filter.From, head, func(day civil.Date) (*apiclient.TransactionPage, error) {
		return p.upTo(s, day, 1)
	})
	if err != nil {
		s.failed("Transactions", err)
		return nil
	}
	if found.IsBeforeOldest() {
		s.say("No transactions on or before %s; these are the oldest.", to.Day)
	}
	row, _ := found.Row()
	if row == 0 {
		return p.begin(s)
	}
	q, place := p.filter, found.Start()
	if !place.Day.IsZero() {
		q.To = place.Day
	}
	above := place.NewerRows
	q.Cursor, above, err = p.readOn(s, q, above, row)
	if err != nil {
		s.failed("Transactions", err)
		return nil
	}
	if above < row {
		s.say(
			"Row %s reached after %d requests; type next to continue from here.",
			money.Count(int64(above+1)),
			maxPageRequests,
		)
	}
	p.fetch(s, q, above)
	return nil
}

// readOn returns the cursor of the page that begins with a row, and that row's number. If the row
// is too many requests away, it returns an earlier row.
func (p *transactionsPage) readOn(
	s *session,
	q apiclient.TransactionQuery,
	above, row int,
) (cursor string, at int, err error) {
	for range maxPageRequests {
		if above >= row {
			break
		}
		q.Limit = min(seek.PageRows, row-above)
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
