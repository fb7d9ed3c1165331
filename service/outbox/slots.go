package outbox

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// endpointState is what this process remembers of an endpoint.
type endpointState struct {
	inFlight  int       // attempts in progress
	healthy   bool      // its last attempt was acknowledged
	lastClaim time.Time // real time
	// An endpoint whose secret cannot be decrypted is blocked, longer each time.
	unsealFailures int
	blockedUntil   time.Time
}

// maxStates bounds how many endpoints are remembered. One that is dropped has to show again
// that it is healthy.
const maxStates = 10_000

// state returns the state of an endpoint, a new one if it is not remembered.
func (r *run) state(key store.EndpointKey) *endpointState {
	s := r.states[key]
	if s == nil {
		s = &endpointState{}
		r.states[key] = s
	}
	return s
}

// grant is how many deliveries an endpoint may claim.
type grant struct {
	store.DueEndpoint
	state *endpointState
	slots int
}

// grants returns the endpoints that may claim, and when the first of the others is due.
// Endpoints with fewer attempts in progress come first, then those whose last claim is
// longest ago. The age of a delivery comes last: by age alone, one endpoint's backlog would
// be served before everything newer of the others.
func (r *run) grants(due []store.DueEndpoint, now time.Time) (grants []*grant, next time.Time) {
	if len(r.states) > maxStates {
		maps.DeleteFunc(r.states, func(_ store.EndpointKey, s *endpointState) bool { return s.inFlight == 0 })
	}
	for _, d := range due {
		s := r.state(d.Endpoint)
		at := d.At
		if s.blockedUntil.After(at) {
			at = s.blockedUntil
		}
		if at.After(now) {
			if next.IsZero() || at.Before(next) {
				next = at
			}
			continue
		}
		concurrency := 1
		if s.healthy && !d.Failing {
			concurrency = webhooks.EndpointConcurrency
		}
		if slots := concurrency - s.inFlight; slots > 0 && r.freeSlots(d.Failing) > 0 {
			grants = append(grants, &grant{DueEndpoint: d, state: s, slots: slots})
		}
	}
	slices.SortFunc(grants, func(a, b *grant) int {
		return cmp.Or(cmp.Compare(a.state.inFlight, b.state.inFlight), a.state.lastClaim.Compare(b.state.lastClaim),
			a.At.Compare(b.At), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return grants, next
}

// claim claims deliveries, as many as the grants and the free slots allow.
func (r *run) claim(tx *store.Tx, grants []*grant, now time.Time) (claimed []*attempt, err error) {
	lease, lastClaim := now.Add(webhooks.Lease), time.Now()
	claimUpTo := func(g *grant, limit int) (int, error) {
		attempts, err := tx.ClaimDeliveries(g.Endpoint, now, lease, limit, webhooks.MaxAttempts)
		g.state.lastClaim = lastClaim
		for _, a := range attempts {
			claimed = append(claimed, &attempt{Attempt: a, state: g.state, slow: g.Failing, lease: lease})
		}
		return len(attempts), err
	}
	for _, failing := range [...]bool{false, true} {
		grants := slices.DeleteFunc(slices.Clone(grants), func(g *grant) bool { return g.Failing != failing })
		if err := shareSlots(grants, r.freeSlots(failing), claimUpTo); err != nil {
			return nil, err
		}
	}
	return claimed, nil
}

// shareSlots divides free slots among the grants. If there are too few, each endpoint gets
// one at a time, those with the fewest attempts in progress first.
func shareSlots(grants []*grant, freeSlots int, claimUpTo func(*grant, int) (int, error)) error {
	wanted := 0
	for _, g := range grants {
		wanted += g.slots
	}
	if wanted <= freeSlots {
		for _, g := range grants {
			if _, err := claimUpTo(g, g.slots); err != nil {
				return err
			}
		}
		return nil
	}
	for level := range webhooks.EndpointConcurrency {
		for _, g := range grants {
			if freeSlots == 0 {
				return nil
			}
			// Endpoints with attempts in progress take part from their own level on.
			if g.slots == 0 || g.state.inFlight > level {
				continue
			}
			got, err := claimUpTo(g, 1)
			if err != nil {
				return err
			}
			if got == 0 {
				g.slots = 0
				continue
			}
			g.slots--
			freeSlots--
		}
	}
	return nil
}

// freeSlots returns how many slow or prompt slots are free.
func (r *run) freeSlots(slow bool) int {
	if slow {
		return r.limits.slow - r.slow
	}
	return max(0, r.limits.prompt-(len(r.inFlight)-r.slow))
}

// moveToSlow moves attempts that take longer than slowAfter to free slow slots.
func (r *run) moveToSlow() {
	now := time.Now()
	for _, a := range r.inFlight {
		if !a.slow && r.freeSlots(true) > 0 && now.Sub(a.started) >= r.limits.slowAfter {
			a.slow = true
			r.slow++
		}
	}
}

func (r *run) oldestPrompt() *attempt {
	for _, a := range r.inFlight {
		if !a.slow {
			return a
		}
	}
	return nil
}
