package snapshot

import (
	"context"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

// MaxEvents limits the events in memory. MaxEventsWhileReading is the limit while the user reads
// older events; see SetReading and LoadOlder.
const (
	MaxEvents             = 2000
	MaxEventsWhileReading = 10000
)

// feedPage is the number of events per request. It is the API's maximum, so that a poll after an
// outage needs few requests.
const feedPage = 100

// Feed holds the events that were read from the organization's event feed. It has no duplicates
// and no gaps, except for events that Missed reports.
type Feed struct {
	state         resource.Resource[int] // number of events in the last poll
	events        []apiclient.Event      // oldest first
	totalReceived uint64                 // number of events from all polls
	emptyPolls    int                    // number of polls in a row without events
	atOldest      bool                   // the feed has no events before events[0]
	reading       bool                   // see SetReading
	older         resource.Resource[int] // number of events in the last response to LoadOlder
	missed        *apiclient.MissedError
	pages         *pageReader
	tailer        *apiclient.Tailer
}

func newFeed(source Source, timeout time.Duration) Feed {
	p := &pageReader{source: source, timeout: timeout}
	return Feed{pages: p, tailer: apiclient.NewTailer(p, apiclient.TailOptions{PageLimit: feedPage})}
}

// Events returns the events in memory, oldest first. The caller must not change the slice.
func (f *Feed) Events() []apiclient.Event { return f.events }

// TotalReceived returns the number of events from all polls, including those that are no longer in
// memory. A screen that pauses the feed computes from it how many events are new.
func (f *Feed) TotalReceived() uint64 { return f.totalReceived }

// Older returns the state of the LoadOlder request. atOldest is true if the server has no events
// before those in memory.
func (f *Feed) Older() (state resource.State, atOldest bool) {
	return f.older.State(), f.atOldest
}

// State returns the state of the feed. LastResponse returns when the server last responded.
func (f *Feed) State() resource.State   { return f.state.State() }
func (f *Feed) LastResponse() time.Time { return f.state.LoadedAt() }
func (f *Feed) Failures() int           { return f.state.Failures() }
func (f *Feed) Polling() bool           { return f.state.Waiting() }

// Missed returns nil, or the latest gap: events that the server dropped from its feed, which keeps
// 90 days, before a poll could read them.
func (f *Feed) Missed() *apiclient.MissedError { return f.missed }

// Gap returns how many events the current poll has read, if it needs more than one page because
// many events arrived since the last poll. Otherwise it returns 0.
func (f *Feed) Gap() int {
	if !f.Polling() {
		return 0
	}
	return int(f.pages.gapEvents.Load())
}

func (f *Feed) condition() (c resource.Status) {
	if len(f.events) == 0 {
		return resource.Empty
	}
	return resource.Ready
}

// Interval returns the pause before the next poll: two seconds while events arrive, growing
// to fifteen while none do.
func (f *Feed) Interval() time.Duration {
	return min(15*time.Second, 2*time.Second+time.Duration(f.emptyPolls)*time.Second)
}

// poll returns the request for new events. It returns nil while another poll runs, because a
// Tailer is not safe for concurrent use.
func (f *Feed) poll(s *Snapshot) Request {
	if f.state.Waiting() {
		return nil
	}
	request, tailer := f.state.Begin(), f.tailer
	ctx, now := s.ctx, s.now
	return func() Result {
		events, err := tailer.Poll(ctx)
		missed := tailer.Missed()
		return Result{Part: Events, apply: func(s *Snapshot) bool {
			if missed != nil {
				s.Feed.missed = missed
			}
			return s.Feed.complete(request, events, err, now())
		}}
	}
}

func (f *Feed) complete(request uint64, events []apiclient.Event, err error, now time.Time) bool {
	if err == nil {
		f.add(events)
		f.pages.gapEvents.Store(0)
	}
	counts := f.state.Complete(request, len(events), f.condition(), err, now,
		resource.NextRetry(now, err, f.state.Failures()))
	f.state.SetPartial(resource.PartialOf("event", f.events))
	return counts
}

func (f *Feed) add(events []apiclient.Event) {
	if len(events) == 0 {
		f.emptyPolls++
		return
	}
	f.emptyPolls = 0
	f.totalReceived += uint64(len(events))
	f.events = append(f.events, events...)
	f.trim()
}

// SetReading raises the limit of events in memory to MaxEventsWhileReading while on is true, so
// that new events do not displace the older ones that the user reads.
func (f *Feed) SetReading(on bool) {
	f.reading = on
	f.trim()
}

// Full reports whether MaxEventsWhileReading events are in memory.
func (f *Feed) Full() bool { return len(f.events) >= MaxEventsWhileReading }

func (f *Feed) trim() {
	most := MaxEvents
	if f.reading {
		most = MaxEventsWhileReading
	}
	if surplus := len(f.events) - most; surplus > 0 {
		f.events = append([]apiclient.Event(nil), f.events[surplus:]...)
		f.atOldest = false
	}
}

// LoadOlder returns the request for the page of events before the oldest one in memory. It returns
// nil if the server has no older events, if no event in memory has an id, if Full, or while
// such a request is in flight.
func (s *Snapshot) LoadOlder() Request {
	f := &s.Feed
	if f.atOldest || len(f.events) == 0 || f.Full() || f.older.Waiting() {
		return nil
	}
	oldest := f.oldestID()
	if oldest == "" {
		return nil
	}
	request := f.older.Begin()
	ctx, source, timeout, now := s.ctx, s.source, s.timeout, s.now
	return func() Result {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		page, err := source.EventPage(ctx, apiclient.EventQuery{StartingAfter: oldest, Limit: feedPage})
		return Result{Part: Events, apply: func(s *Snapshot) bool {
			return s.Feed.completeOlder(request, oldest, page, err, now())
		}}
	}
}

// oldestID returns the id of the oldest event that has one; unreadable events may not.
func (f *Feed) oldestID() string {
	for i := range f.events {
		if f.events[i].ID != "" {
			return f.events[i].ID
		}
	}
	return ""
}

func (f *Feed) completeOlder(request uint64, oldest string, page *apiclient.EventPage, err error, now time.Time) bool {
	n := 0
	if err == nil {
		n = len(page.Data)
	}
	if !f.older.Complete(request, n, resource.Ready, err, now, resource.NextRetry(now, err, f.older.Failures())) {
		return false
	}
	// If trim removed the oldest events during the request, the page would leave a gap before
	// those that remain. It is dropped, and LoadOlder can request it again.
	if err != nil || f.oldestID() != oldest {
		return true
	}
	older := make([]apiclient.Event, 0, n+len(f.events))
	for i := n - 1; i >= 0; i-- {
		older = append(older, page.Data[i])
	}
	// Unreadable events without an id before the oldest one with an id are in the page too.
	joint := slices.IndexFunc(f.events, func(e apiclient.Event) bool { return e.ID == oldest })
	f.events = append(older, f.events[joint:]...)
	f.atOldest = page.NextCursor == ""
	f.trim()
	f.state.SetPartial(resource.PartialOf("event", f.events))
	return true
}
