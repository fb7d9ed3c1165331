package apiclient

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"tarmac/internal/termtext"
)

// EventPager fetches pages of an event feed. *Client implements it.
type EventPager interface {
	EventPage(ctx context.Context, q EventQuery) (*EventPage, error)
}

// Values of TailOptions.Since other than the ID of an event.
const (
	SinceBeginning = "beginning" // all events in the feed
	SinceNow       = "now"       // only events after those of the first poll
)

// TailOptions say which events a Tailer returns. With the zero value, it returns the newest page
// and all later events.
type TailOptions struct {
	Types []EventType
	// Since is the ID of the last event that the caller has seen, of whatever type, or
	// SinceBeginning or SinceNow. Only later events are returned.
	Since     string
	PageLimit int           // events per request, 1 to 100; 0 means 50, the server's default
	Interval  time.Duration // pause between two polls of Tail; 0 means 5 s
	Clock     Clock         // used by Tail; nil means the system's clock
}

// rememberedEvents is the number of event IDs that a Tailer remembers. Each poll reads the feed
// back to one of these events, so at least one of them must still be in the feed.
const rememberedEvents = 1000

// Tailer follows an event feed by polling. It returns every event once, oldest first. It is
// not safe for concurrent use.
type Tailer struct {
	pager      EventPager
	options    TailOptions
	positioned bool // the place in the feed after which events are returned is known
	polled     bool // a poll has succeeded
	empty      bool // the latest poll found an empty feed
	known      map[string]struct{}
	order      []string  // identities of the known events, oldest first
	last       Event     // newest known event that has an ID
	backfill   *backfill // state of an interrupted poll; nil if there is none
	missed     *MissedError
}

// UnknownEventError means that the feed contains no event with the ID in TailOptions.Since.
type UnknownEventError struct{ ID string }

// Error returns one line with the missing id.
func (e *UnknownEventError) Error() string {
	return "no event " + termtext.Line(e.ID) + " in the feed (events are kept for 90 days)"
}

// Is matches ErrNotFound.
func (e *UnknownEventError) Is(target error) bool { return target == ErrNotFound }

// MissedError means that the caller may have missed events, because all events that it has seen
// have left the feed.
type MissedError struct {
	LastID string    // ID of the last event seen
	LastAt time.Time // when the event LastID occurred; zero if unknown
}

// Error returns one line that names the last event seen.
func (e *MissedError) Error() string {
	last := termtext.Line(e.LastID)
	if !e.LastAt.IsZero() {
		last += " of " + e.LastAt.UTC().Format("2006-01-02 15:04 UTC")
	}
	return "events after " + last + " may be missing: it has left the feed, which keeps 90 days"
}

// backfill is the state of a poll that has not reached a known event yet.
type backfill struct {
	events []Event // newest first
	seen   map[string]struct{}
	query  EventQuery // query for the next page
}

// NewTailer returns a Tailer that returns the events of pager. It sends no request before Poll.
func NewTailer(pager EventPager, o TailOptions) *Tailer {
	return &Tailer{pager: pager, options: o, positioned: o.Since == SinceBeginning, known: make(map[string]struct{})}
}

// Missed returns the gap that the latest poll found. It returns nil if there was none.
func (t *Tailer) Missed() *MissedError { return t.missed }

// Poll returns the events since the last successful poll, oldest first. If Since is "", the first
// poll returns the newest page. If the feed does not contain the event Since, it returns
// *UnknownEventError. Later polls read backwards from the newest page to an event already seen. If
// the feed no longer contains one, they read to its end, and Missed reports the gap. A failed poll
// loses no events: the next poll returns them too. After a transient error, it continues with the
// page that failed.
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

// record remembers the events of a poll, which are given oldest first. contiguous is false if the
// poll read the whole feed without finding a known event. In that case events may be missing,
// unless the feed was empty before.
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

// findStart finds the event that TailOptions.Since names. If only some types are requested, polls
// may not return that event, so findStart also remembers the newest requested event before it.
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

// add adds the new events of a page. It reports whether the page has any event that was not on an
// earlier page.
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

// transient reports whether the same request may succeed later.
func transient(err error) bool {
	return errors.Is(err, ErrRateLimited) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrNetwork) ||
		errors.Is(err, context.Canceled)
}

// newEvents returns the new events of a page, and whether the page contains a known event. Events
// that follow the last known event on the page are older than the place from which the Tailer
// started, so they are not new. Events between known ones are new, because a server may insert
// events late. Only an event with an ID counts as known here, since events without one may have the
// same Identity.
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

// Tail polls a feed until ctx ends or the caller stops. It yields each event once, oldest first. A
// transient error is yielded with a zero Event; Tail then polls again after a pause that grows with
// each failure and is at least Retry-After. A *MissedError is yielded in the same way, before the
// events that follow the gap. Tail ends after an error that no retry can overcome: the token, its
// scopes, the query or an unknown Since.
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

// permanent reports whether no retry can overcome the error. If a query has succeeded before,
// ErrInvalid is not permanent: it means that the event at which to continue has just left the feed
// after 90 days.
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
