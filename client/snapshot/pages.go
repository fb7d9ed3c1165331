package snapshot

import (
	"context"
	"sync/atomic"
	"time"

	"tarmac/apiclient"
)

// pages reads the feed for the tailer and counts how far it has come since the page
// before which nothing is missed: also through polls that broke off in between. The
// time-out is a page's: a gap is as long as the outage was, and would never be closed
// if all of it had to come in the time of one answer.
type pages struct {
	source  Source
	timeout time.Duration
	last    int          // events on the page before that are not counted yet; the poll's alone
	behind  atomic.Int64 // events read before the page under way; read while a poll runs
}

// EventPage returns one page.
func (p *pages) EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if q.StartingAfter == "" {
		p.behind.Store(0)
	} else {
		p.behind.Add(int64(p.last))
	}
	p.last = 0
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	page, err := p.source.EventPage(ctx, q)
	if err == nil {
		p.last = len(page.Data)
	}
	return page, err
}
