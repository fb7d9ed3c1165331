// Package stripe is a fake of the invoices of Stripe's API, version 2026-08-26.dahlia. It follows
// Stripe's published description of the API, and does what stripe-mock does not: it has a state,
// pages, permissions and keys for real data. Only tests and tools import it.
//
// A Server is a state machine: its methods do what companies and their customers do, and its
// answers follow from its state. It is safe for concurrent use.
package stripe

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Host is the host name of Stripe's API.
const Host = "api.stripe.com"

const (
	version             = "2026-08-26.dahlia"
	defaultLimit, limit = 10, 100
)

// Server is Stripe with the account of one company. It implements http.Handler.
type Server struct {
	now func() time.Time

	mu           sync.Mutex
	live         bool
	keys         int    // number of keys that were made
	key          string // key that is accepted; "" after Revoke
	forbidden    bool
	invoices     []*Invoice // oldest first
	betweenPages func()
	requests     []Request
}

// Request is one HTTP request to the server, for tests that check what was asked.
type Request struct {
	Path  string
	Query url.Values
}

// New returns a server with a clock. Its data is real.
func New(now func() time.Time) *Server { return &Server{now: now, live: true} }

// SetTest makes the data of the server test data.
func (s *Server) SetTest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live, s.key = false, ""
}

// Key returns a new restricted key. The key before is no longer accepted.
func (s *Server) Key() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys++
	mode := "test"
	if s.live {
		mode = "live"
	}
	s.key = fmt.Sprintf("rk_%s_51Sesame%06d", mode, s.keys)
	return s.key
}

// Secrets returns what no output may contain: the key.
func (s *Server) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []string{s.key}
}

// Revoke deletes the key.
func (s *Server) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = ""
}

// SetForbidden sets whether the key lacks the permission to read invoices.
func (s *Server) SetForbidden(forbidden bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forbidden = forbidden
}

// BetweenPages sets what happens after each page of a list, before the next one is requested.
func (s *Server) BetweenPages(happen func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.betweenPages = happen
}

// Requests returns the requests that the server received.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after := s.answer(w, r)
	if after != nil {
		after()
	}
}

// answer answers a request. It returns what happens afterwards; it may be nil.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{r.URL.Path, r.URL.Query()})
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	id, one := strings.CutPrefix(r.URL.Path, "/v1/invoices/")
	switch {
	case !bearer || s.key == "" || key != s.key:
		// Stripe repeats a part of the key here, and stripe-mock all of it.
		fail(w, http.StatusUnauthorized, "", "Invalid API Key provided: "+key)
	case s.forbidden:
		fail(w, http.StatusForbidden, "more_permissions_required", "The provided key "+key+" lacks rak_invoice_read")
	case r.Method != http.MethodGet || !one && r.URL.Path != "/v1/invoices":
		fail(w, http.StatusNotFound, "", "Unrecognized request URL")
	case r.Header.Get("Stripe-Version") != version:
		fail(w, http.StatusBadRequest, "", "Invalid Stripe API version")
	case one:
		s.one(w, id)
	default:
		s.list(w, r.URL.Query())
		return s.betweenPages
	}
	return nil
}

func (s *Server) one(w http.ResponseWriter, id string) {
	at := s.index(id)
	if at < 0 {
		fail(w, http.StatusNotFound, "resource_missing", "No such invoice: '"+id+"'")
		return
	}
	respond(w, http.StatusOK, s.invoices[at].object(s.live))
}

// list answers with a page of the invoices, newest first.
func (s *Server) list(w http.ResponseWriter, query url.Values) {
	size, before := defaultLimit, len(s.invoices)
	for name, values := range query {
		var err error
		switch name {
		case "status":
		case "limit":
			size, err = strconv.Atoi(values[0])
			if size < 1 || size > limit {
				err = strconv.ErrRange
			}
		case "starting_after":
			if before = s.index(values[0]); before < 0 {
				fail(w, http.StatusBadRequest, "resource_missing", "No such invoice: '"+values[0]+"'")
				return
			}
		default:
			err = strconv.ErrSyntax
		}
		if err != nil {
			fail(w, http.StatusBadRequest, "parameter_invalid", "Invalid "+name)
			return
		}
	}
	data, more := []any{}, false
	for n := before - 1; n >= 0; n-- {
		if status := query.Get("status"); status != "" && status != s.invoices[n].status {
			continue
		}
		if more = len(data) == size; more {
			break
		}
		data = append(data, s.invoices[n].object(s.live))
	}
	respond(w, http.StatusOK, map[string]any{"object": "list", "url": "/v1/invoices", "has_more": more, "data": data})
}

func (s *Server) index(id string) int {
	return slices.IndexFunc(s.invoices, func(i *Invoice) bool { return i.ID == id })
}

// fail answers with an error.
func fail(w http.ResponseWriter, status int, code, message string) {
	problem := map[string]any{"type": "invalid_request_error", "message": message}
	if code != "" {
		problem["code"] = code
	}
	respond(w, status, map[string]any{"error": problem})
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
