package apiclient

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// gate is the one budget of a connection. After a 429 no read is sent before the
// time that the server asked for, whoever wants it; after that, and always where the
// server says what it allows (headers RateLimit and RateLimit-Policy; docs/api.md,
// Rate limit), reads are sent no faster than it grants them, and those that give way
// leave a reserve to the others. Writes pass, and count: a person decided on them.
type gate struct {
	mu       sync.Mutex
	until    time.Time // no read is sent before
	round    uint64    // goes up with each closing: answers to what was sent before do not open it
	refusals int       // rounds in a row that ended in a refusal
	inFlight int

	// What is left is (now - empty) / every, at most the most that was ever left.
	every  time.Duration // one more request is granted; 0 while nothing is known
	empty  time.Time     // when nothing was, or will be, left
	most   int
	policy bool // every is the server's word; else it ends when the gate has recovered
}

// What is assumed of a server that refuses and does not say what it allows.
const (
	firstHold    = 2 * time.Second // doubling with each refusal in a row
	longestHold  = time.Minute
	absurdHold   = 24 * time.Hour // a longer one is no answer
	recoverEvery = 500 * time.Millisecond
	recoverMost  = 10
)

// pass is the right to send one request.
type pass struct{ round uint64 }

// enter returns a pass, or how long to wait before asking again, and whether that is
// because the server refused.
func (g *gate) enter(now time.Time, changes, givesWay bool) (p pass, wait time.Duration, refused bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !changes {
		if wait := g.until.Sub(now); wait > 0 {
			return pass{}, wait, true
		}
		if wait := g.short(now, givesWay); wait > 0 {
			return pass{}, wait, false
		}
	}
	if g.every > 0 {
		g.empty = g.empty.Add(g.every)
	}
	g.inFlight++
	return pass{g.round}, 0, false
}

// short returns how long it is until a read may be sent under what is left.
func (g *gate) short(now time.Time, givesWay bool) time.Duration {
	if g.every == 0 {
		return 0
	}
	if full := now.Add(-time.Duration(g.most) * g.every); g.empty.Before(full) {
		g.empty = full
		if !g.policy {
			g.every = 0
			return 0
		}
	}
	need := g.every
	if givesWay {
		need += time.Duration(g.reserve()) * g.every
	}
	return need - now.Sub(g.empty)
}

// reserve is what reads that give way leave: a part of what may be left at most, so
// that they come to their turn also where that is little.
func (g *gate) reserve() int { return min(15, g.most/4) }

// leave gives a pass back, answered or not.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inFlight--
}

// heard takes an answer to what was sent with a pass: its status, what it says of
// the limit, and the pause that it asks for.
func (g *gate) heard(p pass, status int, r Rate, asked time.Duration, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if status == http.StatusTooManyRequests {
		g.close(p, asked, now)
		return
	}
	if p.round != g.round {
		return
	}
	g.refusals = 0
	if r.Limit <= 0 || r.Window <= 0 || r.At.IsZero() {
		return
	}
	g.policy, g.every = true, max(1, r.Window/time.Duration(r.Limit))
	g.most = min(r.Limit, max(g.most, r.Remaining, 1))
	// What is still on its way may not have been counted yet.
	left := min(r.Remaining, r.Limit) - (g.inFlight - 1)
	g.empty = now.Add(-time.Duration(left) * g.every)
	if r.Remaining == 0 {
		g.empty = later(g.empty, now.Add(r.ResetIn-g.every))
	}
}

// close lets no read through for as long as was asked. Refusals of requests that
// were under way together are one.
func (g *gate) close(p pass, asked time.Duration, now time.Time) {
	if p.round == g.round {
		g.round++
		g.refusals++
	}
	if asked <= 0 || asked >= absurdHold {
		asked = min(firstHold<<max(0, min(g.refusals-1, 10)), longestHold)
	}
	g.until = later(g.until, now.Add(asked))
	if !g.policy {
		g.every, g.most = recoverEvery, recoverMost
	}
	// One may go at once then, the others after it.
	g.empty = g.until.Add(-g.every)
}

// shut returns for how long no read will be sent, because the server refused or has
// said that nothing is left; 0 for what is not worth telling.
func (g *gate) shut(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if wait := g.until.Sub(now); wait > 0 {
		return wait
	}
	if wait := g.short(now, false); wait > patience {
		return wait
	}
	return 0
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// patience is how long a read waits for its turn before it is refused: with the
// server's consent there is nothing to tell about.
const patience = 3 * time.Second

// Held returns for how long no read of this client will be sent, because the server
// was asked too often; else 0. Reads until then are refused with an *Error that
// matches ErrRateLimited and has Held set, or wait, as the Policy has it.
func (c *Client) Held() time.Duration { return c.gate.shut(c.clock.Now()) }

type givesWay struct{}

// GiveWay returns a context whose reads, while when reports true, leave a part of
// what the server allows to other reads: those for what nobody looks at. when is
// called from the goroutine that reads.
func GiveWay(ctx context.Context, when func() bool) context.Context {
	return context.WithValue(ctx, givesWay{}, when)
}

// GivesWay reports whether a read with this context gives way now.
func GivesWay(ctx context.Context) bool {
	when, _ := ctx.Value(givesWay{}).(func() bool)
	return when != nil && when()
}

// admit waits until a call may be sent. It returns an error where that takes longer
// than the call has left, or than its policy waits for.
func (c *Client) admit(ctx context.Context, call call, start time.Time, attempts int) (pass, error) {
	for {
		now := c.clock.Now()
		p, wait, refused := c.gate.enter(now, call.changes(), GivesWay(ctx))
		if wait <= 0 {
			return p, nil
		}
		tell := refused && (c.policy.Countdown || c.policy.Tries == 1) || !refused && wait > patience
		if tell || wait >= c.timeout-now.Sub(start) {
			return pass{}, &Error{
				Status: http.StatusTooManyRequests, Method: call.method, Route: call.route, Attempts: attempts,
				Message: "not sent: the server was asked too often", RetryAfter: wait, Held: true,
			}
		}
		if stopped := c.pause(ctx, wait, refused); stopped != nil {
			return pass{}, &NetworkError{Method: call.method, Route: call.route, Attempts: attempts, Err: stopped}
		}
	}
}

// pause waits, and tells whoever wants to know of it where the server asked for it.
func (c *Client) pause(ctx context.Context, wait time.Duration, refused bool) error {
	if refused && c.onPause != nil {
		c.onPause(wait)
	}
	return c.clock.Sleep(ctx, wait)
}
