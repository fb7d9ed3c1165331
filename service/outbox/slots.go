package outbox

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// lane is what is known here of an endpoint.
type lane struct {
	flying int
	proven bool      // it has acknowledged something since it last failed
	served time.Time // real; when it had its last turn
	// An endpoint whose secret cannot be opened waits, longer each time.
	sealed int
	wait   time.Time
}

// mostLanes is how many endpoints are remembered. Forgetting one costs it no more
// than proving itself again.
const mostLanes = 10_000

func (r *run) lane(key store.EndpointKey) *lane {
	l := r.lanes[key]
	if l == nil {
		l = &lane{}
		r.lanes[key] = l
	}
	return l
}

// turn is how much an endpoint may claim.
type turn struct {
	store.Due
	lane *lane
	room int
}

// turns returns who may claim, and when the first of the others falls due. First
// comes who has least on the wire and has waited longest for a turn, not for what
// waits longest: a backlog stays the oldest until it is gone, and would be served
// before anything new of the others.
func (r *run) turns(due []store.Due, now time.Time) (turns []*turn, next time.Time) {
	if len(r.lanes) > mostLanes {
		maps.DeleteFunc(r.lanes, func(_ store.EndpointKey, l *lane) bool { return l.flying == 0 })
	}
	for _, d := range due {
		l := r.lane(d.Endpoint)
		at := d.At
		if l.wait.After(at) {
			at = l.wait
		}
		if at.After(now) {
			if next.IsZero() || at.Before(next) {
				next = at
			}
			continue
		}
		most := 1
		if l.proven && !d.Failing {
			most = webhooks.EndpointConcurrency
		}
		if room := most - l.flying; room > 0 && r.free(d.Failing) > 0 {
			turns = append(turns, &turn{Due: d, lane: l, room: room})
		}
	}
	slices.SortFunc(turns, func(a, b *turn) int {
		return cmp.Or(cmp.Compare(a.lane.flying, b.lane.flying), a.lane.served.Compare(b.lane.served),
			a.At.Compare(b.At), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return turns, next
}

// claim begins attempts at what the turns and the free slots allow.
func (r *run) claim(tx *store.Tx, turns []*turn, now time.Time) (claimed []*flight, err error) {
	lease, served := now.Add(webhooks.Lease), time.Now()
	take := func(t *turn, limit int) (int, error) {
		attempts, err := tx.ClaimDeliveries(t.Endpoint, now, lease, limit, webhooks.MaxAttempts)
		t.lane.served = served
		for _, a := range attempts {
			claimed = append(claimed, &flight{Attempt: a, lane: t.lane, slow: t.Failing, lease: lease})
		}
		return len(attempts), err
	}
	for _, failing := range [...]bool{false, true} {
		among := slices.DeleteFunc(slices.Clone(turns), func(t *turn) bool { return t.Failing != failing })
		if err := share(among, r.free(failing), take); err != nil {
			return nil, err
		}
	}
	return claimed, nil
}

// share gives free slots out: all that is wanted if there are enough, or else one
// at a time, and nobody gets one more while somebody who has less wants it.
func share(among []*turn, free int, take func(*turn, int) (int, error)) error {
	wanted := 0
	for _, t := range among {
		wanted += t.room
	}
	if wanted <= free {
		for _, t := range among {
			if _, err := take(t, t.room); err != nil {
				return err
			}
		}
		return nil
	}
	for level := range webhooks.EndpointConcurrency {
		for _, t := range among {
			if free == 0 {
				return nil
			}
			// Those who have more on the wire already join at their level.
			if t.room == 0 || t.lane.flying > level {
				continue
			}
			got, err := take(t, 1)
			if err != nil {
				return err
			}
			if got == 0 {
				t.room = 0
				continue
			}
			t.room--
			free--
		}
	}
	return nil
}

// free returns how many slots of a kind are free.
func (r *run) free(slow bool) int {
	if slow {
		return r.limits.slow - r.slow
	}
	return max(0, r.limits.prompt-(len(r.flights)-r.slow))
}

// sideline moves attempts that have no answer yet out of the prompt slots, while
// there are slow ones.
func (r *run) sideline() {
	now := time.Now()
	for _, f := range r.flights {
		if !f.slow && r.free(true) > 0 && now.Sub(f.started) >= r.limits.slowAfter {
			f.slow = true
			r.slow++
		}
	}
}

func (r *run) oldestPrompt() *flight {
	for _, f := range r.flights {
		if !f.slow {
			return f
		}
	}
	return nil
}
