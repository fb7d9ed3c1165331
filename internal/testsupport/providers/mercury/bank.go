// Package mercury is a fake of the Mercury API with one company's accounts. It follows Mercury's
// published documentation. Only tests and tools import it.
//
// A Server is a state machine: its methods do what the bank and the company do, and its answers
// follow from its state and its clock. It is safe for concurrent use.
package mercury

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Host is the name of the API's host.
const Host = "api.mercury.com"

// Server is the API. It implements http.Handler.
type Server struct {
	now func() time.Time

	mu       sync.Mutex
	ids      int
	token    string // token that is accepted; "" after Revoke
	secrets  []string
	page     int // largest number of rows in a page
	accounts []*Account
	rows     []*Row
	status   int // status of all answers; 0 for normal ones
	wait     string
	requests []string
}

// Account is an account of the company. Amounts are in USD cents.
type Account struct {
	ID, Name, Number string
	Kind             string // "checking", "savings" or "treasury"
	Type             string // "mercury", or "external" for an account at another bank
	Status           string
	twice            bool // a treasury account that is also listed among the others
	created          time.Time
	minor            int64 // booked balance
}

// Row is a transaction.
type Row struct {
	ID, Counterparty string
	Minor            int64
	Status           string // "pending", "sent", "cancelled", "failed", "reversed" or "blocked"
	Kind             string
	account          *Account
	created, posted  time.Time
}

// New returns a server with a clock.
func New(now func() time.Time) *Server { return &Server{now: now, page: 1000} }

// Token returns a new token, which replaces the one before.
func (s *Server) Token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = "secret-token:mercury_production_wma_" + s.newID()
	s.secrets = append(s.secrets, s.token)
	return s.token
}

// Revoke ends the token.
func (s *Server) Revoke() { s.change(func() { s.token = "" }) }

// SetPage sets the largest number of rows in a page.
func (s *Server) SetPage(rows int) { s.change(func() { s.page = rows }) }

// Fail makes all following answers errors with a status and, if wait is not "", the header
// Retry-After. A status of 0 ends that.
func (s *Server) Fail(status int, wait string) { s.change(func() { s.status, s.wait = status, wait }) }

// Open opens an account with a balance in USD cents. The kind is "checking", "savings" or
// "treasury".
func (s *Server) Open(name, kind, number string, minor int64) (a *Account) {
	s.change(func() {
		a = &Account{
			ID: s.newID(), Name: name, Number: number, Kind: kind, Type: "mercury", Status: "active",
			created: s.now(), minor: minor,
		}
		s.accounts = append(s.accounts, a)
	})
	return a
}

// Link adds an account at another bank that the company has linked.
func (s *Server) Link(name, number string, minor int64) *Account {
	a := s.Open(name, "checking", number, minor)
	s.change(func() { a.Type = "external" })
	return a
}

// ListTwice lists a treasury account also among the other accounts.
func (s *Server) ListTwice(a *Account) { s.change(func() { a.twice = true }) }

// Close closes an account, which is then no longer listed.
func (s *Server) Close(a *Account) {
	s.change(func() {
		s.accounts = slices.DeleteFunc(s.accounts, func(other *Account) bool { return other == a })
	})
}

// Rename changes the name of an account.
func (s *Server) Rename(a *Account, name string) { s.change(func() { a.Name = name }) }

// Book adds a booked transaction of an amount in USD cents, which is negative for money out.
func (s *Server) Book(a *Account, at time.Time, minor int64, counterparty string) *Row {
	row := s.Hold(a, at, minor, counterparty)
	s.Settle(row, at, minor)
	return row
}

// Hold adds a pending transaction.
func (s *Server) Hold(a *Account, at time.Time, minor int64, counterparty string) (row *Row) {
	s.change(func() {
		row = &Row{
			ID: s.newID(), Counterparty: counterparty, Minor: minor, Status: "pending", Kind: "externalTransfer",
			account: a, created: at,
		}
		s.rows = append(s.rows, row)
		slices.SortStableFunc(s.rows, func(a, b *Row) int { return a.created.Compare(b.created) })
	})
	return row
}

// Settle books a pending transaction, whose amount may have changed. Its id stays.
func (s *Server) Settle(row *Row, at time.Time, minor int64) {
	s.change(func() {
		row.Status, row.Minor, row.posted = "sent", minor, at
		row.account.minor += minor
	})
}

// SetStatus changes the status of a transaction. A booked one that loses the status "sent" leaves
// the balance.
func (s *Server) SetStatus(row *Row, status string) {
	s.change(func() {
		if row.Status == "sent" {
			row.account.minor -= row.Minor
		}
		row.Status = status
	})
}

// Requests returns the paths and queries of the requests that the server received.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Secrets returns what no output may contain: all tokens.
func (s *Server) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.secrets)
}

func (s *Server) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// newID returns an id in the form of a UUID.
func (s *Server) newID() string {
	s.ids++
	return fmt.Sprintf("%08x-1111-4222-8333-%012x", s.ids*2654435761%(1<<32), s.ids)
}

var _ http.Handler = (*Server)(nil)
