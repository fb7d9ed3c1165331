package snapshot

import (
	"context"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/client/resource"
)

// KeptEvents is how many events stay in memory; older ones are read again when
// somebody scrolls back to them. HeldEvents is how many stay while somebody reads
// there, and therefore how far back one can read.
const (
	KeptEvents = 2000
	HeldEvents = 10000
)

// feedPage is how many events a request reads, the most that the API gives: a gap
// after an outage is closed in as few requests as it can be.
const feedPage = 100

// Feed is the organization's event feed as far as it was read: none twice, and between
// the oldest and the newest none missing but what Missed reports.
type Feed struct {
	state    resource.Resource[int] // how many events the last poll brought
	events   []apiclient.Event      // oldest first
	arrived  uint64                 // events that came by polling, since the start
	quiet    int                    // polls in a row that brought nothing
	atOldest bool                   // the feed has nothing older than events[0]
	held     bool                   // somebody reads further back
	older    resource.Resource[int]
	missed   *apiclient.MissedError
	pages    *pages
	tailer   *apiclient.Tailer
}

func newFeed(source Source, timeout time.Duration) Feed {
	p := &pages{source: source, timeout: timeout}
	return Feed{pages: p, tailer: apiclient.NewTailer(p, apiclient.TailOptions{PageLimit: feedPage})}
}

// Events returns what is known, oldest first. The slice must not be changed.
func (f *Feed) Events() []apiclient.Event { return f.events }

// Arrived counts the events that polling has brought, those dropped from memory
// included: it tells a paused screen how many came meanwhile.
func (f *Feed) Arrived() uint64 { return f.arrived }

// Older returns the state of reading further back, and whether there is nothing
// further back within the feed's window.
func (f *Feed) Older() (state resource.State, atOldest bool) {
	return f.older.State(), f.atOldest
}

// State returns the state of the feed. HeardAt is when the server last answered.
func (f *Feed) State() resource.State { return f.state.State() }
func (f *Feed) HeardAt() time.Time    { return f.state.LoadedAt() }
func (f *Feed) Failures() int         { return f.state.Failures() }
func (f *Feed) Polling() bool         { return f.state.Waiting() }

// Missed returns what may have left the server's feed unread, the last time that this
// happened; nil when it never did.
func (f *Feed) Missed() *apiclient.MissedError { return f.missed }

// Gap returns how many events were read of what was missed, while a poll reads more
// than a page; else 0. It grows while the poll goes on.
func (f *Feed) Gap() int {
	if !f.Polling() {
		return 0
	}
	return int(f.pages.behind.Load())
}

func (f *Feed) condition() (c resource.Status) {
	if len(f.events) == 0 {
		return resource.Empty
	}
	return resource.Ready
}

// Interval returns how long to wait before the next poll: two seconds while
// things happen, growing to fifteen when nothing does.
func (f *Feed) Interval() time.Duration {
	return min(15*time.Second, 2*time.Second+time.Duration(f.quiet)*time.Second)
}

// poll returns the command that reads what is new. The tailer keeps its place in
// the feed, so that two polls must not run side by side: nil while one does.
func (f *Feed) poll(s *Snapshot) Request {
	if f.state.Waiting() {
		return nil
	}
	request, tailer := f.state.Begin(), f.tailer
	ctx, now := s.ctx, s.now
	return func() Answer {
		events, err := tailer.Poll(ctx)
		missed := tailer.Missed()
		return Answer{Part: Events, settle: func(s *Snapshot) bool {
			if missed != nil {
				s.Feed.missed = missed
			}
			return s.Feed.settle(request, events, err, now())
		}}
	}
}

func (f *Feed) settle(request uint64, events []apiclient.Event, err error, now time.Time) bool {
	if err == nil {
		f.add(events)
		f.pages.behind.Store(0)
	}
	counts := f.state.Settle(request, len(events), f.condition(), err, now, resource.RetryAt(now, err, f.state.Failures()))
	f.state.SetPartial(resource.PartialOf("event", f.events))
	return counts
}

func (f *Feed) add(events []apiclient.Event) {
	if len(events) == 0 {
		f.quiet++
		return
	}
	f.quiet = 0
	f.arrived += uint64(len(events))
	f.events = append(f.events, events...)
	f.trim()
}

// Hold keeps what was read further back, because it is being looked at; it is let
// go when on is false.
func (f *Feed) Hold(on bool) {
	f.held = on
	f.trim()
}

// Full reports whether no more can be held.
func (f *Feed) Full() bool { return len(f.events) >= HeldEvents }

func (f *Feed) trim() {
	most := KeptEvents
	if f.held {
		most = HeldEvents
	}
	if surplus := len(f.events) - most; surplus > 0 {
		f.events = append([]apiclient.Event(nil), f.events[surplus:]...)
		f.atOldest = false
	}
}

// LoadOlder returns the command that reads the page before the oldest known
// event, or nil when there is nothing further back, nothing to start from, no room
// for more, or a read under way.
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
	return func() Answer {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		page, err := source.EventPage(ctx, apiclient.EventQuery{StartingAfter: oldest, Limit: feedPage})
		return Answer{Part: Events, settle: func(s *Snapshot) bool {
			return s.Feed.settleOlder(request, oldest, page, err, now())
		}}
	}
}

// oldestID is the id of the oldest known event that has one: an event that could not
// be read may have none.
func (f *Feed) oldestID() string {
	for i := range f.events {
		if f.events[i].ID != "" {
			return f.events[i].ID
		}
	}
	return ""
}

func (f *Feed) settleOlder(request uint64, oldest string, page *apiclient.EventPage, err error, now time.Time) bool {
	n := 0
	if err == nil {
		n = len(page.Data)
	}
	if !f.older.Settle(request, n, resource.Ready, err, now, resource.RetryAt(now, err, f.older.Failures())) {
		return false
	}
	// While the page was under way the buffer may have dropped its oldest events:
	// the page no longer joins on, and is read again when it is needed.
	if err != nil || f.oldestID() != oldest {
		return true
	}
	older := make([]apiclient.Event, 0, n+len(f.events))
	for i := n - 1; i >= 0; i-- {
		older = append(older, page.Data[i])
	}
	// What stands before the oldest event with an id is in the page once more.
	joint := slices.IndexFunc(f.events, func(e apiclient.Event) bool { return e.ID == oldest })
	f.events = append(older, f.events[joint:]...)
	f.atOldest = page.NextCursor == ""
	f.trim()
	f.state.SetPartial(resource.PartialOf("event", f.events))
	return true
}
