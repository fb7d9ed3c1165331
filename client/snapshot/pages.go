package snapshot

import (
	"context"
	"sync/atomic"
	"time"

	"tarmac/apiclient"
)

// pageReader fetches pages of the feed for the Tailer. It counts the events that the running poll
// has read, including those of a failed poll that this one continues. The timeout applies to each
// page, because a poll after a long outage may take many.
type pageReader struct {
	source  Source
	timeout time.Duration
	// lastPage is the number of events on the previous page, which gapEvents does not include yet.
	// Only the poll uses it.
	lastPage  int
	gapEvents atomic.Int64 // number of events before the current page; other goroutines read it during a poll
}

// EventPage returns one page of the feed.
func (p *pageReader) EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if q.StartingAfter == "" {
		p.gapEvents.Store(0)
	} else {
		p.gapEvents.Add(int64(p.lastPage))
	}
	p.lastPage = 0
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	page, err := p.source.EventPage(ctx, q)
	if err == nil {
		p.lastPage = len(page.Data)
	}
	return page, err
}
