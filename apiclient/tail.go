package apiclient

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"tarmac/internal/termtext"
)

// EventPager reads pages of an event feed; *Client is one.
type EventPager interface {
	EventPage(ctx context.Context, q EventQuery) (*EventPage, error)
}

// What TailOptions.Since may be beside the id of an event.
const (
	SinceBeginning = "beginning" // everything that the feed keeps
	SinceNow       = "now"       // nothing that happened before the first poll
)

// TailOptions say what to follow. The zero value follows everything from now on,
// the newest page included.
type TailOptions struct {
	Types []EventType
	// Since is the id of the last event already seen, of whatever type: what came after
	// it is returned, however much that is. SinceBeginning and SinceNow stand for an id.
	Since     string
	PageLimit int           // events a request, 1 to 100; 0 for the server's 50
	Interval  time.Duration // of Tail: the pause between polls; 0 for 5 s
	Clock     Clock         // of Tail: nil for the system's
}

// rememberedEvents is how many ids a Tailer knows again, so that it finds its place
// even when the newest of them have left the feed.
const rememberedEvents = 1000

// Tailer follows an event feed by polling it: every event once, oldest first. It
// keeps its place, so that it must not be used by two goroutines at a time.
type Tailer struct {
	pager   EventPager
	options TailOptions
	placed  bool // knows where the feed was read up to
	polled  bool // a poll has succeeded
	empty   bool // the last poll found nothing in the feed
	known   map[string]struct{}
	order   []string // the known ids, oldest first
	last    Event    // the newest known event
	chain   *chain   // a poll that was interrupted; nil for none
	missed  *MissedError
}

// UnknownEventError is returned where TailOptions.Since is no event of the feed. It
// matches ErrNotFound.
type UnknownEventError struct{ ID string }

// Error says which event the feed does not have.
func (e *UnknownEventError) Error() string {
	return "no event " + termtext.Line(e.ID) + " in the feed (events are kept for 90 days)"
}

// Is matches ErrNotFound.
func (e *UnknownEventError) Is(target error) bool { return target == ErrNotFound }

// MissedError reports that events may have left the feed before they were read: none
// of those that were seen is in it any more.
type MissedError struct {
	LastID string    // the last event seen
	LastAt time.Time // when it happened; zero where that is not known
}

// Error says after which event some may be missing.
func (e *MissedError) Error() string {
	last := termtext.Line(e.LastID)
	if !e.LastAt.IsZero() {
		last += " of " + e.LastAt.UTC().Format("2006-01-02 15:04 UTC")
	}
	return "events after " + last + " may be missing: it has left the feed, which keeps 90 days"
}

// chain is how far a poll has read back.
type chain struct {
	fresh []Event // newest first
	seen  map[string]struct{}
	query EventQuery // of the page to read next
}

// NewTailer returns a Tailer that has read nothing yet.
func NewTailer(pager EventPager, o TailOptions) *Tailer {
	return &Tailer{pager: pager, options: o, placed: o.Since == SinceBeginning, known: make(map[string]struct{})}
}

// Missed returns what the last poll may have missed; nil for nothing.
func (t *Tailer) Missed() *MissedError { return t.missed }

// Poll returns the events that came since the last poll that succeeded, oldest
// first. The first poll without Since returns the newest page, and with an event that
// the feed does not have *UnknownEventError. Later ones read from the newest page
// backwards until they meet an event already seen, or the end of the feed when none of
// those is left in it, which Missed reports. After an error nothing counts as seen: the
// next poll returns it all. Where the error may pass it reads on from where this one
// stopped; what came meanwhile is left to the poll after it.
func (t *Tailer) Poll(ctx context.Context) ([]Event, error) {
	t.missed = nil
	if since := t.options.Since; !t.placed && since != "" && since != SinceNow {
		if err := t.locate(ctx, since); err != nil {
			return nil, err
		}
	}
	c := t.chain
	if c == nil {
		c = &chain{seen: make(map[string]struct{}), query: EventQuery{Types: t.options.Types, Limit: t.options.PageLimit}}
	}
	t.chain = nil
	met := false
	for {
		page, err := t.pager.EventPage(ctx, c.query)
		if err != nil {
			if passing(err) && c.query.StartingAfter != "" {
				t.chain = c
			}
			return nil, err
		}
		var events []Event
		events, met = t.unknown(page.Data)
		if more := c.add(page.Data, events); met || !t.placed || page.NextCursor == "" || len(page.Data) == 0 {
			break
		} else if !more {
			return nil, eventLoop()
		}
		c.query.StartingAfter = page.NextCursor
	}
	slices.Reverse(c.fresh)
	begins := !t.placed
	t.keep(c.fresh, met || begins)
	if begins && t.options.Since == SinceNow {
		return nil, nil
	}
	return c.fresh, nil
}

// keep remembers what a poll has read, oldest first. One that does not join on to what
// was known has read the whole feed; events may have been missed unless that was empty
// before.
func (t *Tailer) keep(fresh []Event, joins bool) {
	whole := !joins && t.polled
	if whole && len(fresh) > 0 && !t.empty && t.last.ID != "" {
		t.missed = &MissedError{LastID: t.last.ID, LastAt: t.last.OccurredAt}
	}
	t.empty = !joins && len(fresh) == 0
	for _, event := range fresh {
		t.remember(event)
	}
	t.placed, t.polled = true, true
}

// locate finds the place of an event in the feed. A feed of certain types may be
// without it: then the one before it is known too.
func (t *Tailer) locate(ctx context.Context, id string) error {
	_, err := t.pager.EventPage(ctx, EventQuery{StartingAfter: id, Limit: 1})
	if errors.Is(err, ErrInvalid) {
		return &UnknownEventError{ID: id}
	}
	if err != nil {
		return err
	}
	if len(t.options.Types) > 0 {
		page, err := t.pager.EventPage(ctx, EventQuery{Types: t.options.Types, StartingAfter: id, Limit: 1})
		if err != nil {
			return err
		}
		for _, event := range page.Data {
			t.remember(event)
		}
	}
	t.remember(Event{ID: id})
	t.placed = true
	return nil
}

// add takes the events of a page that are unknown, and reports whether the page has
// any that those before it did not have.
func (c *chain) add(page, unknown []Event) bool {
	before := len(c.seen)
	for _, event := range unknown {
		if _, twice := c.seen[event.Identity()]; !twice {
			c.seen[event.Identity()] = struct{}{}
			c.fresh = append(c.fresh, event)
		}
	}
	for _, event := range page {
		c.seen[event.Identity()] = struct{}{}
	}
	return len(c.seen) > before
}

// passing reports whether an error says nothing about the page that was asked for.
func passing(err error) bool {
	return errors.Is(err, ErrRateLimited) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrNetwork) ||
		errors.Is(err, context.Canceled)
}

// unknown returns the events of a page that were not seen before, and whether the
// page reaches back to one that was. What lies behind the last known event is
// older than the feed's place; between known ones it is an event that the server
// put in late. An event without an id marks no place: another may be like it.
func (t *Tailer) unknown(page []Event) (events []Event, met bool) {
	last := len(page)
	for i := len(page) - 1; i >= 0 && !met; i-- {
		if _, met = t.known[page[i].ID]; met {
			last = i
		}
	}
	for _, event := range page[:last] {
		if _, known := t.known[event.Identity()]; !known {
			events = append(events, event)
		}
	}
	return events, met
}

func (t *Tailer) remember(event Event) {
	if event.ID != "" {
		t.last = event
	}
	t.known[event.Identity()] = struct{}{}
	t.order = append(t.order, event.Identity())
	if surplus := len(t.order) - rememberedEvents; surplus > 0 {
		for _, old := range t.order[:surplus] {
			delete(t.known, old)
		}
		t.order = slices.Clone(t.order[surplus:])
	}
}

const (
	defaultInterval = 5 * time.Second
	longestBackoff  = time.Minute
)

// Tail follows a feed until ctx ends or the caller stops: every event once, oldest
// first. An error that may pass is yielded with a zero Event, and the feed is
// polled again after a growing pause, never before a Retry-After has passed. So is
// *MissedError, before the events that come after the gap. An error that asking again
// does not cure (the token, its scope, the query, an unknown Since) is yielded and
// ends it.
func Tail(ctx context.Context, pager EventPager, o TailOptions) iter.Seq2[Event, error] {
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	return func(yield func(Event, error) bool) {
		tailer, failures, heard := NewTailer(pager, o), 0, false
		for ctx.Err() == nil {
			events, err := tailer.Poll(ctx)
			if ctx.Err() != nil {
				return
			}
			if missed := tailer.Missed(); missed != nil && !yield(Event{}, missed) {
				return
			}
			for _, event := range events {
				if !yield(event, nil) {
					return
				}
			}
			failures++
			if err == nil {
				failures, heard = 0, true
			} else if !yield(Event{}, err) || lasting(err, heard) {
				return
			}
			if o.Clock.Sleep(ctx, tailPause(o.Interval, failures, err)) != nil {
				return
			}
		}
	}
}

// lasting reports whether an error stays however often one asks. A query that the
// server once accepted is refused only while a gap is read whose end leaves the
// feed's 90 days at that moment.
func lasting(err error, heard bool) bool {
	return errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrNotFound) ||
		errors.Is(err, ErrRedirected) || !heard && errors.Is(err, ErrInvalid)
}

func tailPause(interval time.Duration, failures int, err error) time.Duration {
	wait := interval
	for range failures - 1 {
		if wait >= longestBackoff/2 {
			wait = max(interval, longestBackoff)
			break
		}
		wait *= 2
	}
	var refusal *Error
	if errors.As(err, &refusal) && refusal.RetryAfter > wait {
		return refusal.RetryAfter
	}
	return wait
}
