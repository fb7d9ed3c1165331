package snapshot

import (
	"context"
	"sync/atomic"
	"time"

	"tarmac/apiclient"
)

// pageReader reads the feed for the tailer and counts the events read to close a gap, even
// across interrupted polls. The timeout applies to each page, since a gap may be too long
// to read within one.
type pageReader struct {
	source    Source
	timeout   time.Duration
	lastPage  int          // number of events on the previous page, not counted yet; used only by the poll
	gapEvents atomic.Int64 // number of events before the current page; read while a poll runs
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
