package ownbooks

import (
	"cmp"
	"strings"
	"time"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// ProviderKind is a provider that can be connected.
type ProviderKind struct {
	Name      string        // name in commands and in the database, such as "mercury"
	Title     string        // name as the company writes it, such as "Mercury"
	Every     time.Duration // time between two readings
	Brings    string        // what it brings into the books, such as "open invoices at Stripe"
	TokenHelp string        // sentences about which token connects it, and where it can be made
}

// ConnectionState says what can be done with a connection.
type ConnectionState string

// States of connections.
const (
	Claiming ConnectionState = "claiming" // a token that can be used once was sent; its use is not known
	Choosing ConnectionState = "choosing" // the user has not chosen the accounts yet
	Ready    ConnectionState = "ready"
	Failing  ConnectionState = "failing" // the last reading failed
	Asking   ConnectionState = "asking"  // the user must accept that many lines are missing at the provider
	Denied   ConnectionState = "denied"  // the provider does not accept the credential any more
	Lost     ConnectionState = "lost"    // the credential is gone or cannot be decrypted any more
)

// Connection is a connection to a provider.
type Connection struct {
	ID       string          `json:"id"`       // "con_…"
	Provider string          `json:"provider"` // ProviderKind.Name
	Title    string          `json:"-"`        // ProviderKind.Title
	Label    string          `json:"label"`    // name that the user gave the connection, or else Title
	Company  string          `json:"-"`        // name of the company at the provider; "" if unknown
	State    ConnectionState `json:"state"`
	Every    time.Duration   `json:"-"` // time between two readings

	LastSuccess Moment   `json:"last_success"`
	LastTry     Moment   `json:"last_try"`
	NextTry     Moment   `json:"next_try"`
	Failures    int      `json:"failures"` // failed readings since the last success
	Problem     Optional `json:"problem"`  // why the last reading failed, as a sentence; "" if it did not
	Residual    Optional `json:"residual"` // which balances do not add up, as sentences; "" if all do
	Notices     []string `json:"notices"`  // the provider's remarks
	SignIn      []string `json:"sign_in"`  // banks at which the user has to sign in again
	// RequestsLeft is the number of readings that the user may still ask for now: those of the last
	// 24 hours count against the provider's limit. It is nil if the provider sets no limit.
	RequestsLeft *int               `json:"requests_left"`
	Accounts     []ConnectedAccount `json:"accounts"`
}

// Outcome is the outcome of reading one connection.
type Outcome struct {
	Connection   Connection `json:"connection"`
	Added        int        `json:"added"`         // number of booked lines
	Changed      int        `json:"changed"`       // number of booked lines
	Removed      int        `json:"removed"`       // number of booked lines
	Pending      int        `json:"pending"`       // number of pending lines
	Invoices     int        `json:"invoices"`      // number of open invoices
	PaidInvoices []string   `json:"paid_invoices"` // numbers of own invoices that the reading has paid
	Problem      Optional   `json:"problem"`       // why the reading failed, as a sentence; "" if it did not
}

// Usable reports whether the connection can be read: the provider accepts its credential, and its
// accounts are chosen.
func (c *Connection) Usable() bool {
	return c.State == Ready || c.State == Failing || c.State == Asking
}

// Level says how urgently the connection needs the user's attention.
func (c *Connection) Level(now time.Time) Level {
	switch {
	case c.State == Denied || c.State == Lost || c.State == Claiming || c.State == Asking:
		return Bad
	case c.State != Ready || c.Residual != "" || c.Late(now):
		return Caution
	}
	return Good
}

// StateText returns the state in a few words.
func (c *Connection) StateText(now time.Time) string {
	switch {
	case c.State == Claiming:
		return "not connected"
	case c.State == Choosing:
		return "no accounts yet"
	case c.State == Denied:
		return "token refused"
	case c.State == Lost:
		return "token lost"
	case c.State == Asking:
		return "asks you"
	case c.State == Failing && len(c.SignIn) > 0:
		return "sign in again"
	case c.State == Failing:
		return "failing"
	case c.Residual != "":
		return "does not add up"
	case c.Late(now):
		return "late"
	}
	return "ok"
}

// Late reports whether the newest reading that succeeded is older than twice the time between two
// readings.
func (c *Connection) Late(now time.Time) bool {
	return !c.LastSuccess.IsZero() && now.Sub(c.LastSuccess.Time) > 2*c.Every
}

// LastText says how long ago the connection was last read successfully, such as "3 minutes ago".
func (c *Connection) LastText(now time.Time) string {
	if c.LastSuccess.IsZero() {
		return "never"
	}
	return span(now.Sub(c.LastSuccess.Time)) + " ago"
}

// NextText says when the connection is read next, such as "in 12 minutes", or returns a dash.
func (c *Connection) NextText(now time.Time) string {
	switch {
	case c.NextTry.IsZero() || !c.Usable() && c.State != Denied:
		return money.Dash
	case !c.NextTry.After(now):
		return "now"
	}
	return "in " + span(c.NextTry.Sub(now))
}

func span(d time.Duration) string { return plural.Count(plural.Span(d)) }

// Advice says what the user should do about the connection. It returns "" if there is nothing to
// do.
func (c *Connection) Advice() string {
	switch c.State {
	case Claiming:
		return "The token may be used up: make a new one and connect again."
	case Choosing:
		return "Choose the accounts that are read into the books."
	case Asking:
		return "Look at the lines. Accept that they are removed, or disconnect."
	case Denied:
		return "Make a new token and connect again; the accounts stay chosen."
	case Lost:
		return "Connect again; the accounts stay chosen."
	case Failing:
		if len(c.SignIn) > 0 {
			return "Sign in again at " + c.Title + " for " + strings.Join(c.SignIn, ", ") + "."
		}
	}
	return ""
}

// LostText says which connections have lost their tokens and why, in a sentence for each reason.
func LostText(all []Connection) (sentences []string) {
	labels := map[Optional][]string{}
	var reasons []Optional
	for i := range all {
		c := &all[i]
		if c.State != Lost {
			continue
		}
		if labels[c.Problem] == nil {
			reasons = append(reasons, c.Problem)
		}
		labels[c.Problem] = append(labels[c.Problem], c.Label)
	}
	for _, reason := range reasons {
		sentences = append(sentences, strings.Join(labels[reason], " and ")+": "+string(reason))
	}
	return sentences
}

// Trouble returns the sentence that the user should read first: the problem, what does not add up,
// or what to do. It returns "" if there is none.
func (c *Connection) Trouble() string {
	return cmp.Or(string(c.Problem), string(c.Residual), c.Advice())
}

// Facts returns all facts about the connection, the most urgent ones first. The function minute
// returns a time as text, and amount returns minor units of a currency as text.
func (c *Connection) Facts(
	now time.Time, minute func(time.Time) string, amount func(minor int64, currency string) string,
) []Fact {
	facts := []Fact{{Label: "State", Text: c.StateText(now), Level: c.Level(now)}}
	add := func(level Level, label, text string) {
		if text != "" {
			facts = append(facts, Fact{Label: label, Text: text, Level: level})
		}
	}
	add(Bad, "Problem", string(c.Problem))
	add(Neutral, "Do", c.Advice())
	add(Bad, "Balances", string(c.Residual))
	add(Caution, "Notices", strings.Join(c.Notices, "\n"))
	last := c.LastText(now)
	if !c.LastSuccess.IsZero() {
		last += ", " + minute(c.LastSuccess.Time)
	}
	add(Neutral, "Last read", last)
	if c.Failures > 0 {
		add(Neutral, "Last try", span(now.Sub(c.LastTry.Time))+" ago, failed "+times(c.Failures))
	}
	next := c.NextText(now)
	if next != money.Dash {
		next += "; every " + span(c.Every)
	}
	add(Neutral, "Next", next)
	if c.RequestsLeft != nil {
		add(Neutral, "Today", plural.Count(*c.RequestsLeft, "more reading")+" can be asked for")
	}
	add(Neutral, "Company", c.Company)
	for n := range c.Accounts {
		facts = append(facts, c.Accounts[n].Fact(amount))
	}
	add(Neutral, "Name", c.Label)
	add(Neutral, "Id", c.ID)
	return facts
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return plural.Count(n, "time")
}

// Named returns a text about the connection with the connection's name before it, unless the text
// begins with the name.
func (c *Connection) Named(text string) string {
	if strings.HasPrefix(text, c.Label) {
		return text
	}
	return c.Label + ": " + text
}

// Text says what a reading has brought, in one line without a full stop.
func (o *Outcome) Text() string {
	var parts []string
	for _, part := range []struct {
		count int
		text  string
	}{{o.Added, "new"}, {o.Changed, "changed"}, {o.Removed, "removed"}} {
		if part.count > 0 {
			parts = append(parts, plural.Count(part.count, "line")+" "+part.text)
		}
	}
	if problem := strings.TrimSuffix(string(o.Problem), "."); problem != "" {
		return o.Connection.Named(strings.Join(append(parts, problem), ", "))
	}
	if len(parts) == 0 && (o.Invoices == 0 || len(o.Connection.Accounts) > 0) {
		parts = append(parts, "nothing new")
	}
	if o.Pending > 0 {
		parts = append(parts, money.Count(int64(o.Pending))+" pending")
	}
	if o.Invoices > 0 {
		parts = append(parts, plural.Count(o.Invoices, "open invoice"))
	}
	if len(o.PaidInvoices) > 0 {
		parts = append(parts, "paid now: "+strings.Join(o.PaidInvoices, ", "))
	}
	return o.Connection.Named(strings.Join(parts, ", "))
}

// SyncText says what readings have brought, in one line, and whether one of them failed.
func SyncText(outcomes []Outcome) (text string, failed bool) {
	parts := make([]string, len(outcomes))
	for n := range outcomes {
		parts[n] = outcomes[n].Text() + "."
		failed = failed || outcomes[n].Problem != ""
	}
	return cmp.Or(strings.Join(parts, " "), "There is no connection to read."), failed
}

// Disconnects says what disconnecting does.
func (c *Connection) Disconnects() string {
	return "tarmac deletes its token and reads nothing more from " + c.Title + ". The token stays valid at " + c.Title +
		" until you delete it there."
}

// Disconnected says that the connection was disconnected. The parameter forgotten says whether its
// lines were removed from the books.
func (c *Connection) Disconnected(forgotten bool) string {
	lines := "its lines stay in the books"
	if forgotten {
		lines = "its lines are removed from the books"
	}
	return c.Label + " is disconnected; " + lines + ". Delete its token at " + c.Title + " too."
}
