// Package faults simulates failing networks, proxies and servers between a client and a service.
// Only tests and tools import it.
//
// A Handler applies faults to requests and counts them. A script can say which requests get a
// fault, for example the first three of an operation. Faults can also be random, with a seed.
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
	// Elsewhere is the URL of another host, to which some faults redirect.
	Elsewhere string
	// Held is called with each request whose response never arrives. A test can then end the
	// request instead of waiting for the client's timeout.
	Held func(*http.Request)
}

// Handler passes requests to a service and applies faults to some of them. It is safe for
// concurrent use.
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
	// Requests selects requests by method and by a path.Match pattern for the path below Prefix,
	// such as "GET /invoices/*" or "* /events". "" selects all requests.
	Requests string
	// The first After of these requests have no fault. The next Times requests have it, or all
	// later ones if Times is 0.
	After, Times int
	Fault        Fault

	matched int
}

// chance applies a random one of the faults to one of oneIn requests on average. If faults is
// empty, it applies none.
type chance struct {
	rng    *rand.Rand
	oneIn  int
	faults []Fault
}

// Counts holds the numbers of requests and of applied faults. Requests are named by method and path
// without IDs, such as "GET /invoices/{id}".
type Counts struct {
	Requests map[string]int
	Applied  map[string]int // by the name of the fault
}

// New returns a handler that passes requests to next. It applies no faults until Script or
// Random is called.
func New(next http.Handler, o Options) *Handler {
	return &Handler{next: next, options: o, counts: Counts{Requests: map[string]int{}, Applied: map[string]int{}}}
}

// Script replaces all rules. If several rules apply to a request, the first one is used.
func (h *Handler) Script(rules ...Rule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rules = nil
	for _, r := range rules {
		h.rules = append(h.rules, &r)
	}
}

// Random applies a random one of the faults to one of oneIn requests on average. Without faults it
// applies none. The rules of Script take precedence.
func (h *Handler) Random(seed uint64, oneIn int, faults ...Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.chance = chance{rand.New(rand.NewPCG(seed, seed)), max(1, oneIn), faults}
}

// Clear removes all rules and random faults. Requests that are running keep their faults.
func (h *Handler) Clear() {
	h.Script()
	h.Random(0, 1)
}

// Counts returns the numbers of requests and of applied faults so far.
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

// ServeHTTP responds to a request, with the fault chosen for it.
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

// choose returns the fault for a request and counts both.
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

// Route returns a path in which "{id}" replaces each segment with an underscore, because IDs
// contain one.
func Route(of string) string {
	segments := strings.Split(of, "/")
	for i, segment := range segments {
		if strings.Contains(segment, "_") {
			segments[i] = "{id}"
		}
	}
	return strings.Join(segments, "/")
}

// answer stores the response of the service.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
func (a *answer) WriteHeader(status int)      { a.status = status }
