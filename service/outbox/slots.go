package outbox

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// endpointState is what this process remembers about a webhook endpoint in addition to the
// database.
type endpointState struct {
	inFlight  int       // number of attempts in progress
	healthy   bool      // true if the last attempt was acknowledged
	lastClaim time.Time // time of the last claim, by the system clock
	// unsealFailures counts consecutive failures to decrypt the endpoint's secret. After each of
	// them, nothing is claimed for the endpoint until blockedUntil.
	unsealFailures int
	blockedUntil   time.Time
}

// maxStates is the largest number of endpoint states. When it is exceeded, states without attempts
// in progress are dropped. An endpoint whose state was dropped gets one attempt at a time until an
// attempt succeeds.
const maxStates = 10_000

// state returns the state of an endpoint. If there is none, it adds one.
func (r *run) state(key store.EndpointKey) *endpointState {
	s := r.states[key]
	if s == nil {
		s = &endpointState{}
		r.states[key] = s
	}
	return s
}

// grant allows claiming deliveries of an endpoint, at most slots of them.
type grant struct {
	store.DueEndpoint
	state *endpointState
	slots int
}

// grants returns a grant for each endpoint for which deliveries may be claimed now. next is the
// earliest time at which a delivery of another endpoint is due.
//
// Endpoints with fewer attempts in progress come first, then those whose last claim was longest
// ago. How long a delivery has been due matters least: otherwise one endpoint's backlog would be
// sent before all newer deliveries to other endpoints.
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

// claim claims due deliveries in the database, as many as the grants and the free slots allow.
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

// shareSlots divides the free slots among the grants. claimUpTo claims deliveries for a grant and
// returns how many. If there are too few slots, endpoints get one at a time, those with the fewest
// attempts in progress first.
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
			// An endpoint gets another slot only when the other endpoints have as many attempts in
			// progress.
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

// freeSlots returns the number of free slow slots if slow is true, otherwise of free prompt slots.
func (r *run) freeSlots(slow bool) int {
	if slow {
		return r.limits.slow - r.slow
	}
	return max(0, r.limits.prompt-(len(r.inFlight)-r.slow))
}

// moveToSlow moves attempts older than limits.slowAfter from prompt slots to slow slots, while any
// are free.
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
