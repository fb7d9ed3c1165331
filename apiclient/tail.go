package apiclient

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"
)

// EventPager reads pages of an event feed; *Client is one.
type EventPager interface {
	EventPage(ctx context.Context, q EventQuery) (*EventPage, error)
}

// TailOptions say what to follow. The zero value follows everything from now on,
// the newest page included.
type TailOptions struct {
	Types []EventType
	// Since is the id of the last event already seen: what came after it is
	// returned, however much that is, up to the 90 days of the feed.
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
	known   map[string]struct{}
	order   []string // the known ids, oldest first
	chain   *chain   // a poll that was interrupted; nil for none
}

// chain is how far a poll has read back.
type chain struct {
	fresh []Event // newest first
	seen  map[string]struct{}
	query EventQuery // of the page to read next
}

// NewTailer returns a Tailer that has read nothing yet.
func NewTailer(pager EventPager, o TailOptions) *Tailer {
	t := &Tailer{pager: pager, options: o, known: make(map[string]struct{})}
	if o.Since != "" {
		t.placed = true
		t.remember(o.Since)
	}
	return t
}

// Poll returns the events that came since the last poll that succeeded, oldest
// first. The first poll without Since returns the newest page. Later ones read
// from the newest page backwards until they meet an event already seen, or the end
// of the feed when none of those is left in it. After an error nothing counts as
// seen: the next poll returns it all. Where the error may pass it reads on from
// where this one stopped; what came meanwhile is left to the poll after it.
func (t *Tailer) Poll(ctx context.Context) ([]Event, error) {
	c := t.chain
	if c == nil {
		c = &chain{seen: make(map[string]struct{}), query: EventQuery{Types: t.options.Types, Limit: t.options.PageLimit}}
	}
	t.chain = nil
	for {
		page, err := t.pager.EventPage(ctx, c.query)
		if err != nil {
			if passing(err) && c.query.StartingAfter != "" {
				t.chain = c
			}
			return nil, err
		}
		events, met := t.unknown(page.Data)
		if more := c.add(events); met || !t.placed || page.NextCursor == "" || len(page.Data) == 0 {
			break
		} else if !more {
			return nil, eventLoop()
		}
		c.query.StartingAfter = page.NextCursor
	}
	slices.Reverse(c.fresh)
	for _, event := range c.fresh {
		t.remember(event.ID)
	}
	t.placed = true
	return c.fresh, nil
}

// add takes the events of a page, and reports whether there was a new one.
func (c *chain) add(events []Event) bool {
	before := len(c.fresh)
	for _, event := range events {
		if _, twice := c.seen[event.ID]; !twice {
			c.seen[event.ID] = struct{}{}
			c.fresh = append(c.fresh, event)
		}
	}
	return len(c.fresh) > before
}

// passing reports whether an error says nothing about the page that was asked for.
func passing(err error) bool {
	return errors.Is(err, ErrRateLimited) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrNetwork) || errors.Is(err, context.Canceled)
}

// unknown returns the events of a page that were not seen before, and whether the
// page reaches back to one that was. What lies behind the last known event is
// older than the feed's place; between known ones it is an event that the server
// put in late.
func (t *Tailer) unknown(page []Event) (events []Event, met bool) {
	last := len(page)
	for i := len(page) - 1; i >= 0 && !met; i-- {
		if _, met = t.known[page[i].ID]; met {
			last = i
		}
	}
	for _, event := range page[:last] {
		if _, known := t.known[event.ID]; !known {
			events = append(events, event)
		}
	}
	return events, met
}

func (t *Tailer) remember(id string) {
	t.known[id] = struct{}{}
	t.order = append(t.order, id)
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
// polled again after a growing pause, never before a Retry-After has passed. An
// error that asking again does not cure (the token, its scope, the query) is
// yielded and ends it.
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
