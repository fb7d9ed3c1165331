package simplefin

import (
	"fmt"
	"slices"
	"time"
)

// Connection is a login at a bank, through which the user shares accounts.
type Connection struct {
	id, name, bank string
}

// Account is an account at a bank.
type Account struct {
	id         string
	name       string
	currency   string
	connection *Connection
	opening    int64
	// available is the available balance; nil if it equals the booked balance.
	available *int64
	shares    bool
	lines     []*Line
	// firstDay is the day at which the bank's history begins; zero if it has all lines.
	firstDay time.Time
	// asOf is the date of the balance; zero for the time of the request.
	asOf time.Time
	// balance replaces the text of the balance; "" for the true one.
	balance string
}

// Line is a booked or pending transaction of an account.
type Line struct {
	id          string
	posted      time.Time // zero for a pending line without a date
	happened    time.Time
	minor       int64
	description string
	payee       string
	pending     bool
	amount      string // text of the amount; "" for that of minor
}

// Connect adds a login at a bank, such as "Chase". The login's name contains the name of the bank
// and of the user.
func (s *Server) Connect(bank, user string) *Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Connection{id: s.newID("CON"), name: bank + " - " + user, bank: bank}
	s.connections = append(s.connections, c)
	return c
}

// Open adds an account with an opening balance in minor units of a currency that has two decimals.
func (s *Server) Open(c *Connection, name, currency string, opening int64) *Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &Account{
		id: s.newID("ACT"), name: name, currency: currency, connection: c, opening: opening,
	}
	s.accounts = append(s.accounts, a)
	return a
}

// Book adds a booked line at the given time.
func (s *Server) Book(a *Account, at time.Time, minor int64, description string) *Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &Line{id: s.newID("TRN"), posted: at, minor: minor, description: description}
	a.lines = append(a.lines, l)
	return l
}

// Hold adds a pending line at the given time, without a posting date.
func (s *Server) Hold(a *Account, at time.Time, minor int64, description string) *Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &Line{id: s.newID("TRN"), happened: at, minor: minor, description: description, pending: true}
	a.lines = append(a.lines, l)
	return l
}

// Settle books a pending line at a time, with its final amount. The booked line has a new id.
func (s *Server) Settle(a *Account, l *Line, at time.Time, minor int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.id, l.posted, l.minor, l.pending = s.newID("TRN"), at, minor, false
}

// Withdraw removes a line, as if it had never been there.
func (s *Server) Withdraw(a *Account, l *Line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.lines = slices.DeleteFunc(a.lines, func(o *Line) bool { return o == l })
}

// Restore adds a line again that was withdrawn.
func (s *Server) Restore(a *Account, l *Line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.lines = append(a.lines, l)
}

// Change corrects the amount and the text of a line.
func (s *Server) Change(l *Line, minor int64, description string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.minor, l.description = minor, description
}

// Move changes the time at which a line was booked.
func (s *Server) Move(l *Line, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.posted = at
}

// Write replaces the text of a line's amount.
func (s *Server) Write(l *Line, amount string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.amount = amount
}

// Reissue gives all lines of an account new ids.
func (s *Server) Reissue(a *Account) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reissue(a)
}

func (s *Server) reissue(a *Account) {
	for _, l := range a.lines {
		l.id = s.newID("TRN")
	}
}

// Relink links a login again: it, its accounts and all their lines get new ids.
func (s *Server) Relink(c *Connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.id = s.newID("CON")
	for _, a := range s.accounts {
		if a.connection == c {
			a.id = s.newID("ACT")
			s.reissue(a)
		}
	}
}

// Rename changes the name of an account.
func (s *Server) Rename(a *Account, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.name = name
}

// Close removes an account from the answers.
func (s *Server) Close(a *Account) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts = slices.DeleteFunc(s.accounts, func(o *Account) bool { return o == a })
}

// SetAvailable sets the available balance of an account.
func (s *Server) SetAvailable(a *Account, minor int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.available = &minor
}

// SetBalance replaces the text of an account's balance, and its date if at is not zero.
func (s *Server) SetBalance(a *Account, text string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.balance, a.asOf = text, at
}

// SetShares makes an account one that holds shares.
func (s *Server) SetShares(a *Account) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.shares = true
}

// SetHistory limits an account's lines to those booked at or after a time.
func (s *Server) SetHistory(a *Account, first time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.firstDay = first
}

// ID returns the present id of an account.
func (s *Server) ID(a *Account) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return a.id
}

// newID returns an id like those of the SimpleFIN Bridge. Ids are random in the Bridge; here they
// count, so that tests repeat.
func (s *Server) newID(prefix string) string {
	s.ids++
	return fmt.Sprintf("%s-%08x-5f1d-4a6b-9c3e-%012x", prefix, s.ids*2654435761, s.ids)
}

// balanceAt returns the booked balance of an account at a time.
func (a *Account) balanceAt(at time.Time) int64 {
	sum := a.opening
	for _, l := range a.lines {
		if !l.pending && !l.posted.After(at) {
			sum += l.minor
		}
	}
	return sum
}

// between returns the lines of an account that were booked from a time on and before another, and
// those that are pending if the parameter pending is true. A zero time is no limit.
func (a *Account) between(from, before time.Time, pending bool) (lines []*Line) {
	for _, l := range a.lines {
		at := l.posted
		if l.pending {
			at = l.happened
		}
		switch {
		case l.pending && !pending,
			at.Before(from), !before.IsZero() && !at.Before(before),
			!l.pending && at.Before(a.firstDay):
			continue
		}
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(x, y *Line) int { return x.posted.Compare(y.posted) })
	return lines
}
