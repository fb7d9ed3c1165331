package apiclient

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// limiter is the rate limiter of a client. After a 429 response, it delays reads for the time that
// the server asks for. It keeps reads within the limit that the server announces in the headers
// RateLimit and RateLimit-Policy (docs/api.md, Rate limit). If the server announces no limit, a
// default limit applies for a while after a 429 response. A part of the limit is reserved for reads
// that do not have low priority. Writes count towards the limit but are never delayed, because a
// user waits for them.
type limiter struct {
	mu        sync.Mutex
	heldUntil time.Time // no reads are sent before this time
	// generation is the number of holds so far. Responses to requests that were sent before the
	// latest hold are ignored.
	generation uint64
	refusals   int // number of holds since the last successful response
	inFlight   int

	// At the time now, (now - usedUpAt) / interval requests are available, but at most capacity.
	interval time.Duration // time after which one more request is available; 0 if there is no limit
	usedUpAt time.Time     // when no requests were available, or will be
	capacity int
	// The server announced interval. Otherwise interval is a default, which applies until capacity
	// requests are available again.
	announced bool
}

// Defaults for servers that send 429 responses without announcing a limit.
const (
	firstHold        = 2 * time.Second // doubled after each further 429 response
	longestHold      = time.Minute
	maxHold          = 24 * time.Hour // a Retry-After of this length or more is ignored
	recoveryInterval = 500 * time.Millisecond
	recoveryCapacity = 10
)

// permit allows the sending of one request. generation is the limiter's generation at that time.
type permit struct{ generation uint64 }

// acquire returns a permit, or the time to wait before calling acquire again. refused says that a
// 429 response is the reason for the wait. isWrite says that the request is a write, and givesWay
// that it is a read with low priority.
func (l *limiter) acquire(now time.Time, isWrite, givesWay bool) (p permit, wait time.Duration, refused bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !isWrite {
		if wait := l.heldUntil.Sub(now); wait > 0 {
			return permit{}, wait, true
		}
		if wait := l.waitForCapacity(now, givesWay); wait > 0 {
			return permit{}, wait, false
		}
	}
	if l.interval > 0 {
		l.usedUpAt = l.usedUpAt.Add(l.interval)
	}
	l.inFlight++
	return permit{l.generation}, 0, false
}

// waitForCapacity returns how long to wait until a read is within the limit. 0 or less means that
// the read can be sent at once.
func (l *limiter) waitForCapacity(now time.Time, givesWay bool) time.Duration {
	if l.interval == 0 {
		return 0
	}
	if full := now.Add(-time.Duration(l.capacity) * l.interval); l.usedUpAt.Before(full) {
		l.usedUpAt = full
		if !l.announced {
			l.interval = 0
			return 0
		}
	}
	share := l.interval
	if givesWay {
		share += time.Duration(l.reserve()) * l.interval
	}
	return share - now.Sub(l.usedUpAt)
}

// reserve returns the number of available requests that low-priority reads leave to others. It is
// at most a quarter of the capacity, so that low-priority reads are sent under a small limit too.
func (l *limiter) reserve() int { return min(15, l.capacity/4) }

// release must be called when a request has ended, with or without a response.
func (l *limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
}

// observe updates the limiter after a response, from its status, the limit it announces and its
// Retry-After.
func (l *limiter) observe(p permit, status int, r Rate, retryAfter time.Duration, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if status == http.StatusTooManyRequests {
		l.hold(p, retryAfter, now)
		return
	}
	if p.generation != l.generation {
		return
	}
	l.refusals = 0
	if r.Limit <= 0 || r.Window <= 0 || r.At.IsZero() {
		return
	}
	l.announced, l.interval = true, max(1, r.Window/time.Duration(r.Limit))
	l.capacity = min(r.Limit, max(l.capacity, r.Remaining, 1))
	// Requests that are still running may not be included in the server's count.
	left := min(r.Remaining, r.Limit) - (l.inFlight - 1)
	l.usedUpAt = now.Add(-time.Duration(left) * l.interval)
	if r.Remaining == 0 {
		l.usedUpAt = laterOf(l.usedUpAt, now.Add(r.ResetIn-l.interval))
	}
}

// hold delays reads for the time that the server asks for. If several requests that ran at the same
// time get 429 responses, they cause one hold.
func (l *limiter) hold(p permit, retryAfter time.Duration, now time.Time) {
	if p.generation == l.generation {
		l.generation++
		l.refusals++
	}
	if retryAfter <= 0 || retryAfter >= maxHold {
		retryAfter = min(firstHold<<max(0, min(l.refusals-1, 10)), longestHold)
	}
	l.heldUntil = laterOf(l.heldUntil, now.Add(retryAfter))
	if !l.announced {
		l.interval, l.capacity = recoveryInterval, recoveryCapacity
	}
	// When the hold ends, one request is available. The others become available one after another.
	l.usedUpAt = l.heldUntil.Add(-l.interval)
}

// waitFor returns for how long reads are delayed, because of a 429 response or because the limit is
// used up. It returns 0 for a delay of at most longestSilentWait that was not caused by a 429
// response.
func (l *limiter) waitFor(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.heldUntil.Sub(now); wait > 0 {
		return wait
	}
	if wait := l.waitForCapacity(now, false); wait > longestSilentWait {
		return wait
	}
	return 0
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// longestSilentWait is the longest time for which a read waits because the limit is used up. If it
// would have to wait longer, it fails with ErrRateLimited.
const longestSilentWait = 3 * time.Second

// Held returns for how long the rate limit delays reads of this client, or 0 if it does not. During
// that time, reads wait, or fail with an *Error that matches ErrRateLimited and has Held set. The
// Policy decides which.
func (c *Client) Held() time.Duration { return c.limiter.waitFor(c.clock.Now()) }

type lowPriorityKey struct{}

// WithLowPriority returns a context for reads for which no user waits. As long as giveWay returns
// true, such reads leave a part of the rate limit to others. giveWay is called on the goroutine
// that sends the read.
func WithLowPriority(ctx context.Context, giveWay func() bool) context.Context {
	return context.WithValue(ctx, lowPriorityKey{}, giveWay)
}

// IsLowPriority reports whether a read with this context has low priority at the moment.
func IsLowPriority(ctx context.Context) bool {
	when, _ := ctx.Value(lowPriorityKey{}).(func() bool)
	return when != nil && when()
}

// waitForPermit waits until the limiter allows a request. If the wait would exceed the client's
// timeout, or the policy forbids waiting, it returns an *Error at once.
func (c *Client) waitForPermit(ctx context.Context, call call, start time.Time, attempts int) (permit, error) {
	for {
		now := c.clock.Now()
		p, wait, refused := c.limiter.acquire(now, call.isWrite(), IsLowPriority(ctx))
		if wait <= 0 {
			return p, nil
		}
		report := refused && (c.policy.Countdown || c.policy.Tries == 1) || !refused && wait > longestSilentWait
		if report || wait >= c.timeout-now.Sub(start) {
			return permit{}, &Error{
				Status: http.StatusTooManyRequests, Method: call.method, Route: call.route, Attempts: attempts,
				Credential: c.credential, Local: c.local, Held: true,
				Message: "not sent: the server was asked too often", RetryAfter: wait,
			}
		}
		if stopped := c.pause(ctx, wait, refused); stopped != nil {
			return permit{}, &NetworkError{Method: call.method, Route: call.route, Attempts: attempts, Err: stopped}
		}
	}
}

// pause waits for the given time. If a 429 response is the reason, it first calls the function set
// by WithPauseNotice.
func (c *Client) pause(ctx context.Context, wait time.Duration, refused bool) error {
	if refused && c.onPause != nil {
		c.onPause(wait)
	}
	return c.clock.Sleep(ctx, wait)
}
