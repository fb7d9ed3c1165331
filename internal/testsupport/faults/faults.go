// Package faults stands between a client and a service and damages responses as networks,
// proxies and broken servers do. Only tests import it.
//
// A Handler applies faults by script, such as one fault to the first three requests of an
// operation, or at random from a seed, and counts them.
package faults

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Prefix is the path prefix of all operations.
const Prefix = "/api/ext/v1"

// Options configure a Handler. All fields are optional.
type Options struct {
	// Elsewhere is the URL of another host, which some faults redirect to.
	Elsewhere string
	// Held is called with a request whose response is held back until the client gives up,
	// so that a test need not wait for the client's timeout.
	Held func(*http.Request)
}

// Handler is a service behind a failing network. It is safe for concurrent use.
type Handler struct {
	next    http.Handler
	options Options

	mu     sync.Mutex
	rules  []*Rule
	chance chance
	counts Counts
}

// Rule applies a fault to some requests.
type Rule struct {
	// Requests is a method and a path.Match pattern below Prefix, such as "GET /invoices/*"
	// or "* /events"; "" matches all.
	Requests string
	// After matching requests pass first, then the fault applies to Times requests; 0 for
	// all later ones.
	After, Times int
	Fault        Fault

	matched int
}

// chance applies a fault to one of so many requests, or to none without faults.
type chance struct {
	rng    *rand.Rand
	oneIn  int
	faults []Fault
}

// Counts are the numbers of requests and faults. Requests are named by method and path
// without ids: "GET /invoices/{id}".
type Counts struct {
	Requests map[string]int
	Applied  map[string]int // by the fault's name
}

// New returns a handler that passes all requests on to next.
func New(next http.Handler, o Options) *Handler {
	return &Handler{next: next, options: o, counts: Counts{Requests: map[string]int{}, Applied: map[string]int{}}}
}

// Script replaces the rules. The first rule that applies to a request decides.
func (h *Handler) Script(rules ...Rule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rules = nil
	for _, r := range rules {
		h.rules = append(h.rules, &r)
	}
}

// Random applies one of the faults to one of oneIn requests on average, and to none without
// faults. Scripted faults come first.
func (h *Handler) Random(seed uint64, oneIn int, faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.chance = chance{rand.New(rand.NewPCG(seed, seed)), max(1, oneIn), faults}
}

// Heal ends all faults except those of requests in flight.
func (h *Handler) Heal() {
	h.Script()
	h.Random(0, 1)
}

// Counts returns the counts so far.
func (h *Handler) Counts() Counts {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := Counts{Requests: map[string]int{}, Applied: map[string]int{}}
	for name, n := range h.counts.Requests {
		c.Requests[name] = n
	}
	for name, n := range h.counts.Applied {
		c.Applied[name] = n
	}
	return c
}

// ServeHTTP responds to a request through the fault chosen for it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := h.choose(r)
	if fault.do == nil {
		h.next.ServeHTTP(w, r)
		return
	}
	x := &exchange{w: w, r: r, options: h.options, next: h.next}
	if fault.acts {
		x.good = x.callService(r)
	} else {
		x.drain()
	}
	fault.do(x)
}

// choose returns the fault for a request, and counts both.
func (h *Handler) choose(r *http.Request) Fault {
	route := strings.TrimPrefix(r.URL.Path, Prefix)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts.Requests[r.Method+" "+Route(route)]++
	fault := h.decide(r.Method + " " + route)
	if fault.do != nil {
		h.counts.Applied[fault.Name]++
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

// Route returns a path with {id} in place of ids, which contain an underscore.
func Route(of string) string {
	segments := strings.Split(of, "/")
	for i, segment := range segments {
		if strings.Contains(segment, "_") {
			segments[i] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}

// answer is the service's response.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
func (a *answer) WriteHeader(status int)      { a.status = status }
