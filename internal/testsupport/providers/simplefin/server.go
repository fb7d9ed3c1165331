// Package simplefin is a fake of a SimpleFIN server such as the SimpleFIN Bridge, with a user's
// accounts at banks. It follows the published protocol, versions 1 and 2, the Bridge's guide for
// developers, and what authors of clients report. Only tests and tools import it.
//
// A Server is a state machine: its methods do what banks, the Bridge and users do, and its answers
// follow from its state and its clock. It is safe for concurrent use.
package simplefin

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The Bridge's limits: the number of requests in a day from which it warns, and from which it
// disables the access, and days in a request.
const (
	warnedAt, disabledAt     = 48, 96
	mostDays, recommendation = 90, 45
)

// Server is a SimpleFIN server. It implements http.Handler.
type Server struct {
	host string
	now  func() time.Time

	mu             sync.Mutex
	ids            uint64
	codes          map[string]bool // codes of setup tokens; true if the code was claimed
	user, password string          // credentials of the access; "" before a claim and after Revoke
	connections    []*Connection
	accounts       []*Account
	problems       []Problem
	version1       bool
	unpaid         bool
	lost           bool
	requests       []Request
}

// Problem is an entry of the list of errors in an answer.
type Problem struct {
	Code, Text string
	Connection *Connection // nil if the error is not about a connection
	Account    *Account    // nil if the error is not about an account
}

// Request is one HTTP request to the server, for tests that check what was asked.
type Request struct {
	At     time.Time
	Method string
	Path   string
	Query  url.Values
}

// New returns a server at a host name, with a clock.
func New(host string, now func() time.Time) *Server {
	return &Server{host: host, now: now, codes: map[string]bool{}}
}

// Token returns a new setup token, which can be claimed once.
func (s *Server) Token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := s.newID("CLAIM")
	s.codes[code] = false
	return base64.StdEncoding.EncodeToString([]byte("https://" + s.host + "/simplefin/claim/" + code))
}

// Revoke ends the access that was claimed last.
func (s *Server) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user, s.password = "", ""
}

// Report adds an entry to the list of errors in the following answers.
func (s *Server) Report(p Problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, p)
}

// Recover empties the list of errors.
func (s *Server) Recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = nil
}

// SetVersion1 makes the server one that knows only version 1 of the protocol.
func (s *Server) SetVersion1() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version1 = true
}

// SetUnpaid sets whether the user's subscription ended.
func (s *Server) SetUnpaid(unpaid bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unpaid = unpaid
}

// LoseClaims sets whether answers to claims are lost: a claim is carried out, but the connection
// ends before the answer.
func (s *Server) LoseClaims(lost bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = lost
}

// Requests returns the requests that the server received.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Forget makes the server forget the requests that it received, as if a day had passed.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Secrets returns what no output may contain: the user and the password of the access, as they are
// and as they are written in a URL, and the codes of setup tokens.
func (s *Server) Secrets() (secrets []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for code := range s.codes {
		secrets = append(secrets, code)
	}
	if s.user != "" {
		escaped := url.UserPassword(s.user, s.password).String()
		secrets = append(secrets, s.user, s.password, escaped)
	}
	return secrets
}

// Access returns the user and the password of the access that was claimed last.
func (s *Server) Access() (user, password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user, s.password
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{s.now(), r.Method, r.URL.Path, r.URL.Query()})
	code, claims := strings.CutPrefix(r.URL.Path, "/simplefin/claim/")
	switch {
	case claims && r.Method == http.MethodPost:
		s.claim(w, code)
	case r.URL.Path == "/simplefin/accounts" && r.Method == http.MethodGet:
		s.serveAccounts(w, r)
	case r.URL.Path == "/simplefin/info" && r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, map[string]any{"versions": []string{"1.0"}})
	default:
		http.Error(w, "Not found", http.StatusNotFound)
	}
}

// claim answers a claim. The name and the password contain characters that a URL must escape.
func (s *Server) claim(w http.ResponseWriter, code string) {
	if claimed, exists := s.codes[code]; !exists || claimed {
		http.Error(w, "Forbidden (was it already claimed?)", http.StatusForbidden)
		return
	}
	s.codes[code] = true
	s.user, s.password = s.newID("USER:/"), s.newID("PASS@?#%")
	if s.lost {
		panic(http.ErrAbortHandler)
	}
	access := url.URL{Scheme: "https", User: url.UserPassword(s.user, s.password), Host: s.host, Path: "/simplefin"}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, access.String())
}

// admitted reports whether a request has the credentials of the access.
func (s *Server) admitted(r *http.Request) bool {
	user, password, ok := r.BasicAuth()
	return ok && s.user != "" &&
		subtle.ConstantTimeCompare([]byte(user+":"+password), []byte(s.user+":"+s.password)) == 1
}

// serveAccounts answers a request for accounts.
func (s *Server) serveAccounts(w http.ResponseWriter, r *http.Request) {
	used := s.usedToday()
	if used > disabledAt {
		s.user, s.password = "", ""
	}
	if !s.admitted(r) {
		writeJSON(w, http.StatusForbidden, forbidden)
		return
	}
	if s.unpaid {
		http.Error(w, "Payment required", http.StatusPaymentRequired)
		return
	}
	q, err := parseQuery(r.URL.Query(), s.now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	problems := append(slices.Clone(s.problems), q.problems...)
	if used > warnedAt {
		problems = append(problems, Problem{Code: "gen.api", Text: fmt.Sprintf(
			"You have made %d requests today. Access is disabled after %d.", used, disabledAt)})
	}
	if s.version1 || !q.version2 {
		writeJSON(w, http.StatusOK, s.version1Answer(q, problems))
		return
	}
	writeJSON(w, http.StatusOK, s.version2Answer(q, problems))
}

// usedToday returns the number of requests for accounts in the last 24 hours.
func (s *Server) usedToday() (used int) {
	since := s.now().Add(-24 * time.Hour)
	for _, r := range s.requests {
		if r.Path == "/simplefin/accounts" && r.At.After(since) {
			used++
		}
	}
	return used
}

// query holds the parameters of a request for accounts.
type query struct {
	from, before time.Time // zero if the request has no such limit
	pending      bool
	balancesOnly bool
	version2     bool
	accounts     []string
	now          time.Time
	balanceAt    time.Time // time of the balances
	problems     []Problem
}

// parseQuery returns the parameters of a request. Parameters that the protocol does not have are an
// error, so that tests notice them.
func parseQuery(values url.Values, now time.Time) (query, error) {
	q := query{balanceAt: now, now: now}
	for name, texts := range values {
		switch text := texts[0]; name {
		case "start-date", "end-date":
			seconds, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return q, fmt.Errorf("%s is not a timestamp", name)
			}
			if name == "start-date" {
				q.from = time.Unix(seconds, 0).UTC()
			} else {
				q.before = time.Unix(seconds, 0).UTC()
				q.balanceAt = q.before.Add(-1)
			}
		case "pending", "balances-only", "version":
			if text != "1" && (name != "version" || text != "2") {
				return q, fmt.Errorf("%s is %q", name, text)
			}
			q.pending, q.balancesOnly = q.pending || name == "pending", q.balancesOnly || name == "balances-only"
			q.version2 = q.version2 || text == "2"
		case "account":
			q.accounts = texts
		default:
			return q, fmt.Errorf("there is no parameter %s", name)
		}
	}
	q.limit()
	return q, nil
}

// limit shortens the request's period to 90 days, and warns of periods that are longer than
// recommended.
func (q *query) limit() {
	before := q.before
	if before.IsZero() {
		before = q.now
	}
	switch days := before.Sub(q.from).Hours() / 24; {
	case q.from.IsZero():
		q.from = before.AddDate(0, 0, -mostDays)
	case days >= mostDays:
		q.from = before.AddDate(0, 0, -mostDays)
		q.problems = append(q.problems, Problem{Code: "gen.api", Text: fmt.Sprintf(
			"Requested date range exceeds limit of %d days and was capped.", mostDays)})
	case days >= recommendation:
		q.problems = append(q.problems, Problem{Code: "gen.api", Text: fmt.Sprintf(
			"Requested date range exceeds recommended range of %d days. In the future, this may be capped.",
			recommendation,
		)})
	}
}
