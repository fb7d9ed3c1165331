// Package faults stands between a client and a service and does to the answers
// what networks, proxies and broken servers do. It is for tests and soaks; nothing
// of the program imports it.
//
// A Fault is a value. A Handler carries faults out by script (this fault for that
// operation, at its first to third request) or at random from a seed, and counts
// what it did.
package faults

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Prefix is the path that every operation is under.
const Prefix = "/api/ext/v1"

// Options are a handler's surroundings. Both may be left out.
type Options struct {
	// Elsewhere is the URL of another host, to which some answers redirect.
	Elsewhere string
	// Held is told of a request when its answer is held back until the client gives
	// up, so that a test need not wait for the client's time-out.
	Held func(*http.Request)
}

// Handler is a service with a failing network before it. It is safe for concurrent
// use.
type Handler struct {
	next    http.Handler
	options Options

	mu     sync.Mutex
	rules  []*Rule
	chance chance
	counts Counts
}

// Rule says which requests a fault befalls.
type Rule struct {
	// Requests is a method and a path below Prefix, as path.Match has it:
	// "GET /invoices/*", "* /events"; "" for all.
	Requests string
	// After is how many matching requests pass before the fault begins, Times how
	// many it befalls then; 0 for all that follow.
	After, Times int
	Fault        Fault

	matched int
}

// chance strikes one of so many requests; none while it has no faults.
type chance struct {
	rng    *rand.Rand
	oneIn  int
	faults []Fault
}

// Counts says what was asked and what was done. Requests are named by method and
// path with the ids left out: "GET /invoices/{id}".
type Counts struct {
	Asked  map[string]int
	Struck map[string]int // by the fault's name
}

// New returns a handler that passes everything on to next.
func New(next http.Handler, o Options) *Handler {
	return &Handler{next: next, options: o, counts: Counts{Asked: map[string]int{}, Struck: map[string]int{}}}
}

// Script puts rules in the place of those there were. The first that matches a
// request and is due decides.
func (h *Handler) Script(rules ...Rule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rules = nil
	for _, r := range rules {
		h.rules = append(h.rules, &r)
	}
}

// Random befalls one of oneIn requests, on average, with one of the faults; without
// faults it ends that. Scripted faults come first.
func (h *Handler) Random(seed uint64, oneIn int, faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.chance = chance{rand.New(rand.NewPCG(seed, seed)), max(1, oneIn), faults}
}

// Heal ends all faults, those under way excepted.
func (h *Handler) Heal() {
	h.Script()
	h.Random(0, 1)
}

// Counts returns what there was so far.
func (h *Handler) Counts() Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := Counts{Asked: map[string]int{}, Struck: map[string]int{}}
	for name, n := range h.counts.Asked {
		c.Asked[name] = n
	}
	for name, n := range h.counts.Struck {
		c.Struck[name] = n
	}
	return c
}

// ServeHTTP answers a request, with what befalls it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := h.choose(r)
	if fault.do == nil {
		h.next.ServeHTTP(w, r)
		return
	}
	x := &exchange{w: w, r: r, options: h.options, next: h.next}
	if fault.acts {
		x.good = x.ask(r)
	} else {
		x.drain()
	}
	fault.do(x)
}

// choose returns what befalls a request, and counts it.
func (h *Handler) choose(r *http.Request) Fault {
	route := strings.TrimPrefix(r.URL.Path, Prefix)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts.Asked[r.Method+" "+Route(route)]++
	fault := h.decide(r.Method + " " + route)
	if fault.do != nil {
		h.counts.Struck[fault.Name]++
	}
	return fault
}

func (h *Handler) decide(request string) Fault {
	for _, rule := range h.rules {
		if !rule.matches(request) {
			continue
		}
		rule.matched++
		if rule.matched > rule.After && (rule.Times == 0 || rule.matched <= rule.After+rule.Times) {
			return rule.Fault
		}
	}
	if n := len(h.chance.faults); n > 0 && h.chance.rng.IntN(h.chance.oneIn) == 0 {
		return h.chance.faults[h.chance.rng.IntN(n)]
	}
	return Fault{}
}

func (r *Rule) matches(request string) bool {
	wanted, asked := strings.Fields(r.Requests), strings.Fields(request)
	if len(wanted) == 0 {
		return true
	}
	method, _ := path.Match(wanted[0], asked[0])
	route, _ := path.Match(wanted[len(wanted)-1], asked[len(asked)-1])
	return method && route
}

// Route returns a path with {id} in the place of ids, which have an underscore.
func Route(of string) string {
	segments := strings.Split(of, "/")
	for i, segment := range segments {
		if strings.Contains(segment, "_") {
			segments[i] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}

// answer is what the service said.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
func (a *answer) WriteHeader(status int)      { a.status = status }
