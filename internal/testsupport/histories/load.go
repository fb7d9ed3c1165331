package histories

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	// keyUses is how many proposals have the same key.
	keyUses = 8
	// targetUses is after how many operations another payment or endpoint takes a target's place.
	// Checking takes much longer for long histories.
	targetUses = 60
)

// Organization is an organization of the service, with an owner, and a token with all scopes.
type Organization struct{ ID, Token string }

// Load is what clients and operators do at the same time.
type Load struct {
	Services      []string // base URLs; a client sends each request to any of them
	Organizations []Organization
	Operators     []Operator
	Receiver      *Receiver
	Clients       int
	RootCAs       *x509.CertPool // of the services; nil for the system's
	Patience      time.Duration  // how long clients wait for an answer; 0 for defaultPatience
	Seed          uint64
	History       *History

	mu            sync.Mutex
	attempts      []attempt
	secrets       map[string][]string // by endpoint
	verifications map[string]verification
	problems      []string
}

// organization is an organization with its records in use.
type organization struct {
	Organization
	proposals                     atomic.Int64
	payments, endpoints, rotating *targets
}

// target is a record that clients use at the same time.
type target struct {
	id     string
	remove func(context.Context, *client) // removes a record that was replaced; nil if it stays
	uses   atomic.Int64
}

// isOld reports whether the record will soon be replaced by another.
func (t *target) isOld() bool { return t.uses.Load() > targetUses*3/4 }

// targets are some records of an organization. Each is replaced when it was used often enough.
type targets struct {
	mu       sync.Mutex
	all      [2]*target
	creating bool
}

// target returns one of the records. It returns nil if there is none.
func (c *client) target(
	ctx context.Context, from *targets, o *organization, create func(context.Context, *organization) *target,
) *target {
	from.mu.Lock()
	n := c.rng.IntN(len(from.all))
	t := from.all[n]
	if from.creating || t != nil && t.uses.Add(1) < targetUses {
		from.mu.Unlock()
		return t
	}
	from.creating = true
	from.mu.Unlock()
	made := create(ctx, o)
	from.mu.Lock()
	from.creating = false
	if made != nil {
		from.all[n] = made
	}
	from.mu.Unlock()
	if made != nil && t != nil && t.remove != nil {
		t.remove(ctx, c)
	}
	return made
}

// Run lets all clients work until ctx ends, or until each has begun the given number of operations.
func (l *Load) Run(ctx context.Context, operations int) {
	l.secrets, l.verifications = map[string][]string{}, map[string]verification{}
	var all []*organization
	for _, o := range l.Organizations {
		all = append(
			all,
			&organization{Organization: o, payments: &targets{}, endpoints: &targets{}, rotating: &targets{}},
		)
	}
	var clients sync.WaitGroup
	for n := range l.Clients {
		clients.Go(func() {
			c := newClient(l, n)
			for i := 0; ctx.Err() == nil && i < operations; i++ {
				c.act(ctx, all[c.rng.IntN(len(all))])
			}
		})
	}
	clients.Wait()
}

// act does one thing.
func (c *client) act(ctx context.Context, o *organization) {
	actions := []func(context.Context, *organization){
		c.proposeWithKey, c.proposeWithKey, c.proposeWithoutKey, c.readNewest,
		c.changePayment, c.changePayment, c.readPayment, c.readPayment,
		c.useEndpoint, c.useEndpoint, c.useEndpoint, c.rotate, c.verify, c.verify,
	}
	actions[c.rng.IntN(len(actions))](ctx, o)
}

// told records a secret that a client was told.
func (l *Load) told(endpoint, secret string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secrets[endpoint] = append(l.secrets[endpoint], secret)
}

func (l *Load) created(a attempt) {
	a.operation.history = nil
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.number != 0 {
		l.History.add(Numbers, a.org, porcupine.Operation{
			ClientId: a.client, Input: create, Call: a.call, Output: a.number, Return: l.History.now(),
		})
	}
	l.attempts = append(l.attempts, a)
}

// unexpected records an answer that no correct service gives.
func (l *Load) unexpected(what string, a answer) outcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.problems = append(l.problems, fmt.Sprintf("%s was answered %d %.200s", what, a.status, a.body))
	return notDone
}

// Invoice is an invoice that exists after the load.
type Invoice struct {
	Recipient string
	Number    int
}

// Finish adds to the history what is known after the load: the deliveries that arrived, and the
// invoices of an organization, which show what became of proposals without an answer. No service
// may be carrying out a request any more. It returns answers that no correct service gives, and
// invoices that nobody proposed.
func (l *Load) Finish(invoices func(org string) []Invoice) (problems []string) {
	l.addDeliveries()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.Organizations {
		all := invoices(o.ID)
		at := l.History.now()
		for _, i := range all {
			l.addInvoice(o.ID, i, at)
		}
		l.History.add(
			Numbers,
			o.ID,
			porcupine.Operation{Input: readLast, Call: at, Output: len(all), Return: l.History.now()},
		)
	}
	return l.problems
}

// addInvoice records the creation of an invoice that no answer told of.
func (l *Load) addInvoice(org string, i Invoice, at int64) {
	var tries []attempt
	for _, a := range l.attempts {
		if a.org == org && a.recipient == i.Recipient {
			tries = append(tries, a)
		}
	}
	switch {
	case len(tries) == 0:
		l.problems = append(l.problems, fmt.Sprintf("nobody proposed %+v", i))
	case !slices.ContainsFunc(tries, func(a attempt) bool { return a.number == i.Number }):
		first := slices.MinFunc(tries, func(a, b attempt) int { return cmp.Compare(a.call, b.call) })
		l.History.add(Numbers, org, porcupine.Operation{
			ClientId: first.client, Input: create, Call: first.call, Output: i.Number, Return: at,
		})
	}
}
