package snapshot

import (
	"context"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

// MaxEvents is the maximum number of events in memory. MaxEventsWhileReading is the maximum while
// the user reads older events; see SetReading and LoadOlder.
const (
	MaxEvents             = 2000
	MaxEventsWhileReading = 10000
)

// feedPage is the number of events per request. It is the API's maximum, so that a poll after an
// outage takes few requests.
const feedPage = 100

// Feed holds events read from the organization's event feed. They have no duplicates, and no gaps
// except those that Missed reports.
type Feed struct {
	state         resource.Resource[int] // its value is the number of events in the latest poll
	events        []apiclient.Event      // oldest first
	totalReceived uint64                 // number of events received in all polls
	emptyPolls    int                    // number of consecutive polls without events
	atOldest      bool                   // the server has no events before events[0]
	reading       bool                   // set by SetReading
	older         resource.Resource[int] // its value is the number of events in the latest response to LoadOlder
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

// TotalReceived returns the number of events received in all polls, including those no longer in
// memory. With it, a screen that pauses the feed computes how many events are new.
func (f *Feed) TotalReceived() uint64 { return f.totalReceived }

// ReceivedSince returns the events received after TotalReceived had the value total, as far as they
// are in memory, oldest first. The caller must not change the slice.
func (f *Feed) ReceivedSince(total uint64) []apiclient.Event {
	fresh := min(f.totalReceived-total, uint64(len(f.events)))
	return f.events[uint64(len(f.events))-fresh:]
}

// Older returns the state of the latest request made by LoadOlder. atOldest is true if the server
// has no events before those in memory.
func (f *Feed) Older() (state resource.State, atOldest bool) {
	return f.older.State(), f.atOldest
}

// State returns the state of the polls. LastResponse returns when the server last responded, and
// Failures the number of consecutive failed polls.
func (f *Feed) State() resource.State   { return f.state.State() }
func (f *Feed) LastResponse() time.Time { return f.state.LoadedAt() }
func (f *Feed) Failures() int           { return f.state.Failures() }
func (f *Feed) Polling() bool           { return f.state.Waiting() }

// Missed returns the latest gap in the feed: events that the server dropped after 90 days, before a
// poll could read them. It returns nil if there is no gap.
func (f *Feed) Missed() *apiclient.MissedError { return f.missed }

// Gap returns how many events the running poll has read so far, if many new events make it need
// more than one page. Otherwise it returns 0.
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

// Interval returns the pause before the next poll. It is two seconds while events arrive, and grows
// to fifteen seconds while none do.
func (f *Feed) Interval() time.Duration {
	return min(15*time.Second, 2*time.Second+time.Duration(f.emptyPolls)*time.Second)
}

// poll returns the request for new events. If a poll is running, it returns nil, because a Tailer
// is not safe for concurrent use.
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

// SetReading raises the maximum number of events in memory to MaxEventsWhileReading while reading
// is true. New events then do not displace older ones that the user is reading.
func (f *Feed) SetReading(reading bool) {
	f.reading = reading
	f.trim()
}

// Full reports whether there are MaxEventsWhileReading events in memory.
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
// nil if the server has no older events, no event in memory has an ID, Full returns true, or such a
// request is already running.
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

// oldestID returns the ID of the oldest event that has one. Events that could not be decoded may
// have none.
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
	// If trim has removed the oldest events in the meantime, adding the page would leave a gap.
	// Drop the page; LoadOlder can request it again.
	if err != nil || f.oldestID() != oldest {
		return true
	}
	older := make([]apiclient.Event, 0, n+len(f.events))
	for i := n - 1; i >= 0; i-- {
		older = append(older, page.Data[i])
	}
	// The page also contains the events without an ID that precede the oldest event with an ID.
	joint := slices.IndexFunc(f.events, func(e apiclient.Event) bool { return e.ID == oldest })
	f.events = append(older, f.events[joint:]...)
	f.atOldest = page.NextCursor == ""
	f.trim()
	f.state.SetPartial(resource.PartialOf("event", f.events))
	return true
}
