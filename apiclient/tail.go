package apiclient

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"tarmac/internal/termtext"
)

// EventPager reads pages of an event feed, as *Client does.
type EventPager interface {
	EventPage(ctx context.Context, q EventQuery) (*EventPage, error)
}

// Values of TailOptions.Since besides an event's id.
const (
	SinceBeginning = "beginning" // all events that the feed keeps
	SinceNow       = "now"       // only events after the first poll
)

// TailOptions select the events to follow. The zero value returns the newest page and all
// later events.
type TailOptions struct {
	Types []EventType
	// Since is the id of the last event already seen, of any type, or SinceBeginning or
	// SinceNow. All later events are returned.
	Since     string
	PageLimit int           // events per request, 1 to 100; 0 for the server's 50
	Interval  time.Duration // pause between polls of Tail; 0 for 5 s
	Clock     Clock         // for Tail; nil for the system's
}

// rememberedEvents is the number of ids that a Tailer remembers. A poll reads back to an event with
// one of these ids, so at least one of them must still be in the feed.
const rememberedEvents = 1000

// Tailer follows an event feed by polling. It returns every event once, oldest first. It is
// not safe for concurrent use.
type Tailer struct {
	pager      EventPager
	options    TailOptions
	positioned bool // the position in the feed is known
	polled     bool // a poll has succeeded
	empty      bool // the last poll found an empty feed
	known      map[string]struct{}
	order      []string  // the known ids, oldest first
	last       Event     // the newest known event
	backfill   *backfill // an interrupted poll, or nil
	missed     *MissedError
}

// UnknownEventError means that the feed has no event with the id in TailOptions.Since.
type UnknownEventError struct{ ID string }

// Error returns one line with the missing id.
func (e *UnknownEventError) Error() string {
	return "no event " + termtext.Line(e.ID) + " in the feed (events are kept for 90 days)"
}

// Is matches ErrNotFound.
func (e *UnknownEventError) Is(target error) bool { return target == ErrNotFound }

// MissedError means that events may have been missed, because all events seen before have
// left the feed.
type MissedError struct {
	LastID string    // the last event seen
	LastAt time.Time // when it happened; zero if unknown
}

// Error returns one line that names the last event seen.
func (e *MissedError) Error() string {
	last := termtext.Line(e.LastID)
	if !e.LastAt.IsZero() {
		last += " of " + e.LastAt.UTC().Format("2006-01-02 15:04 UTC")
	}
	return "events after " + last + " may be missing: it has left the feed, which keeps 90 days"
}

// backfill is the state of a poll that has not yet met a known event.
type backfill struct {
	events []Event // newest first
	seen   map[string]struct{}
	query  EventQuery // for the next page
}

// NewTailer returns a Tailer that has not polled yet.
func NewTailer(pager EventPager, o TailOptions) *Tailer {
	return &Tailer{pager: pager, options: o, positioned: o.Since == SinceBeginning, known: make(map[string]struct{})}
}

// Missed returns the gap that the last poll found, or nil.
func (t *Tailer) Missed() *MissedError { return t.missed }

// Poll returns the events since the last successful poll, oldest first. The first poll
// without Since returns the newest page; with an unknown event as Since it returns
// *UnknownEventError. Later polls read backwards from the newest page to an event already
// seen, or to the end of the feed if none is left, which Missed reports. A failed poll
// loses nothing: the next one returns its events too, and after a transient error continues
// at the page that failed.
func (t *Tailer) Poll(ctx context.Context) ([]Event, error) {
	t.missed = nil
	if since := t.options.Since; !t.positioned && since != "" && since != SinceNow {
		if err := t.findStart(ctx, since); err != nil {
			return nil, err
		}
	}
	c := t.backfill
	if c == nil {
		c = &backfill{seen: make(map[string]struct{}), query: EventQuery{Types: t.options.Types, Limit: t.options.PageLimit}}
	}
	t.backfill = nil
	reachedKnown := false
	for {
		page, err := t.pager.EventPage(ctx, c.query)
		if err != nil {
			if transient(err) && c.query.StartingAfter != "" {
				t.backfill = c
			}
			return nil, err
		}
		var events []Event
		events, reachedKnown = t.newEvents(page.Data)
		if more := c.add(page.Data, events); reachedKnown || !t.positioned || page.NextCursor == "" || len(page.Data) == 0 {
			break
		} else if !more {
			return nil, cursorLoop("/events")
		}
		c.query.StartingAfter = page.NextCursor
	}
	slices.Reverse(c.events)
	begins := !t.positioned
	t.record(c.events, reachedKnown || begins)
	if begins && t.options.Since == SinceNow {
		return nil, nil
	}
	return c.events, nil
}

// record remembers the events of a poll, given oldest first. contiguous is false if the poll read
// the whole feed without meeting a known event. Then events may be missing, unless the feed was
// empty before.
func (t *Tailer) record(fresh []Event, contiguous bool) {
	whole := !contiguous && t.polled
	if whole && len(fresh) > 0 && !t.empty && t.last.ID != "" {
		t.missed = &MissedError{LastID: t.last.ID, LastAt: t.last.OccurredAt}
	}
	t.empty = !contiguous && len(fresh) == 0
	for _, event := range fresh {
		t.remember(event)
	}
	t.positioned, t.polled = true, true
}

// findStart finds an event in the feed. If the tail is limited to some types the feed may not
// show that event, so locate also remembers the one before it.
func (t *Tailer) findStart(ctx context.Context, id string) error {
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
	t.positioned = true
	return nil
}

// add adds the new events of a page. It reports whether the page has any event that the
// pages before it lacked.
func (c *backfill) add(page, newEvents []Event) bool {
	before := len(c.seen)
	for _, event := range newEvents {
		if _, twice := c.seen[event.Identity()]; !twice {
			c.seen[event.Identity()] = struct{}{}
			c.events = append(c.events, event)
		}
	}
	for _, event := range page {
		c.seen[event.Identity()] = struct{}{}
	}
	return len(c.seen) > before
}

// transient reports whether a request for the same page may succeed later.
func transient(err error) bool {
	return errors.Is(err, ErrRateLimited) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrNetwork) ||
		errors.Is(err, context.Canceled)
}

// newEvents returns the events of a page that are new, and whether the page contains a known event.
// Events after the last known one on the page are older than the Tailer's position, so they are not
// new. Events between known ones are new, since a server may insert events late. An event without
// an id does not count as a known one here, because others may have the same Identity.
func (t *Tailer) newEvents(page []Event) (events []Event, reachedKnown bool) {
	last := len(page)
	for i := len(page) - 1; i >= 0 && !reachedKnown; i-- {
		if _, reachedKnown = t.known[page[i].ID]; reachedKnown {
			last = i
		}
	}
	for _, event := range page[:last] {
		if _, known := t.known[event.Identity()]; !known {
			events = append(events, event)
		}
	}
	return events, reachedKnown
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

// Tail polls a feed until ctx ends or the caller stops. It yields every event once, oldest
// first. After a transient error it yields the error with a zero Event, and polls again
// after a growing pause that respects Retry-After. It yields *MissedError the same way,
// before the events after the gap. It ends after an error that a retry cannot cure: the
// token, its scope, the query or an unknown Since.
func Tail(ctx context.Context, pager EventPager, o TailOptions) iter.Seq2[Event, error] {
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	return func(yield func(Event, error) bool) {
		tailer, failures, succeeded := NewTailer(pager, o), 0, false
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
				failures, succeeded = 0, true
			} else if !yield(Event{}, err) || permanent(err, succeeded) {
				return
			}
			if o.Clock.Sleep(ctx, tailDelay(o.Interval, failures, err)) != nil {
				return
			}
		}
	}
}

// permanent reports whether a retry cannot cure the error. A query that once succeeded
// fails only when the page to continue from has just left the feed's 90 days, so ErrInvalid
// is then transient.
func permanent(err error, succeeded bool) bool {
	return errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrForbidden) || errors.Is(err, ErrNotFound) ||
		errors.Is(err, ErrRedirected) || !succeeded && errors.Is(err, ErrInvalid)
}

func tailDelay(interval time.Duration, failures int, err error) time.Duration {
	wait := interval
	for range failures - 1 {
		if wait >= longestBackoff/2 {
			wait = max(interval, longestBackoff)
			break
		}
		wait *= 2
	}
	var statusErr *Error
	if errors.As(err, &statusErr) && statusErr.RetryAfter > wait {
		return statusErr.RetryAfter
	}
	return wait
}
