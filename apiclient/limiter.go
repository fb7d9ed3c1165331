package apiclient

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// limiter is the rate limiter of a client. After a 429 response it holds reads back for the time
// that the server asked for. It keeps reads within the limit that the server announces (headers
// RateLimit and RateLimit-Policy; docs/api.md, Rate limit), or within a default limit for a while
// after a 429 response. It reserves a part of the limit for reads without low priority. Writes
// count towards the limit but are never held back, since a person waits for them.
type limiter struct {
	mu         sync.Mutex
	heldUntil  time.Time // reads wait until then
	generation uint64    // number of holds; responses to requests sent before the latest one are ignored
	refusals   int       // holds since the last successful response
	inFlight   int

	// (now - emptyAt) / interval requests are available, at most capacity.
	interval  time.Duration // time until one more request is available; 0 for no limit
	usedUpAt  time.Time     // when the available requests were, or will be, used up
	capacity  int
	announced bool // the server announced interval; else it applies until the limiter is full again
}

// Defaults for servers that refuse requests without announcing a limit.
const (
	firstHold        = 2 * time.Second // doubles with each further refusal
	longestHold      = time.Minute
	maxHold          = 24 * time.Hour // a Retry-After of this length or more is ignored
	recoveryInterval = 500 * time.Millisecond
	recoveryCapacity = 10
)

// permit allows one request. generation is the limiter's when it was given.
type permit struct{ generation uint64 }

// acquire returns a permit, or the time to wait before calling acquire again. refused reports that
// the wait is due to a 429 response.
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

// waitForCapacity returns the time until a read is within the limit; 0 or less means now.
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

// reserve is the number of available requests below which low-priority reads wait. It is at most a
// quarter of the capacity, so that they are sent under small limits too.
func (l *limiter) reserve() int { return min(15, l.capacity/4) }

// release ends a request, whether or not it got a response.
func (l *limiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
}

// observe updates the limiter from a response: its status, the limit it announces and its
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
	// The server may not have counted requests that are still in flight.
	left := min(r.Remaining, r.Limit) - (l.inFlight - 1)
	l.usedUpAt = now.Add(-time.Duration(left) * l.interval)
	if r.Remaining == 0 {
		l.usedUpAt = laterOf(l.usedUpAt, now.Add(r.ResetIn-l.interval))
	}
}

// hold stops reads for the time that the server asked for. Refusals of requests that were
// in flight together count as one.
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
	// When the hold ends one request is available; the others become available one by one.
	l.usedUpAt = l.heldUntil.Add(-l.interval)
}

// waitFor returns how long reads are held back, because of a 429 response or because the limit is
// used up. It returns 0 for waits of at most longestSilentWait that no 429 response caused.
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

// longestSilentWait is the longest wait for capacity. A read that would have to wait longer fails
// with ErrRateLimited.
const longestSilentWait = 3 * time.Second

// Held returns how long reads of this client are held back because of the rate limit, or 0 if they
// are not. Meanwhile reads wait, or fail with an *Error that matches ErrRateLimited and has Held
// set, depending on the Policy.
func (c *Client) Held() time.Duration { return c.limiter.waitFor(c.clock.Now()) }

type lowPriorityKey struct{}

// WithLowPriority returns a context for reads that nobody is waiting for. While when
// returns true, they leave a part of the rate limit to other reads. when is called from the
// goroutine that reads.
func WithLowPriority(ctx context.Context, when func() bool) context.Context {
	return context.WithValue(ctx, lowPriorityKey{}, when)
}

// IsLowPriority reports whether a read with this context has low priority now.
func IsLowPriority(ctx context.Context) bool {
	when, _ := ctx.Value(lowPriorityKey{}).(func() bool)
	return when != nil && when()
}

// waitForPermit waits until the limiter allows a call. It returns an *Error instead of waiting if
// the wait would exceed the client's timeout, or if the policy says not to wait.
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
				Message: "not sent: the server was asked too often", RetryAfter: wait, Held: true,
			}
		}
		if stopped := c.pause(ctx, wait, refused); stopped != nil {
			return permit{}, &NetworkError{Method: call.method, Route: call.route, Attempts: attempts, Err: stopped}
		}
	}
}

// pause waits. If a 429 response is the reason it first calls the function of WithPauseNotice.
func (c *Client) pause(ctx context.Context, wait time.Duration, refused bool) error {
	if refused && c.onPause != nil {
		c.onPause(wait)
	}
	return c.clock.Sleep(ctx, wait)
}
