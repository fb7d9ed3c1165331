package alerts

import (
	"fmt"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/monitor"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// Reading is what was read for a round. What was not read is nil; why then says so for each need.
type Reading struct {
	Now       time.Time
	Account   *apiclient.Account
	Cash      *figures.Cash
	Aging     *apiclient.ReceivablesAging
	Customers []collections.Customer
	Bills     *payables.Payables
	Latest    *spending.Ledger
	History   *spending.Ledger
	Accounts  []ownbooks.Account // of own books; nil of a server
	OwnBooks  bool
	Token     *apiclient.Ping
	Plan      *plan.Plan
	Failures  map[Need]string // why something could not be read, in a sentence
	// Unreachable says why nothing could be read at all.
	Unreachable string
}

// has reports whether a need was read.
func (r *Reading) has(n Need) bool {
	return [needs]bool{
		Balance: r.Account != nil, Cash: r.Cash != nil, Receivables: r.Aging != nil, Bills: r.Bills != nil,
		Latest: r.Latest != nil, History: r.History != nil, Books: true, Token: r.Token != nil,
		Plan: r.Plan != nil,
	}[n]
}

// Finding is something that a person is told.
type Finding struct {
	Subject string `json:"subject,omitempty"` // what it is about, as an ID; "" for a figure of the company
	Text    string `json:"text"`              // sentence with the figure and the limit
	Basis   string `json:"basis,omitempty"`   // what the figure is derived from, and how old it is
	Open    string `json:"open,omitempty"`    // command that shows its rows
}

// look is what a rule found. If unknown is set, the rest is not known.
type look struct {
	state   string // the state in words
	unknown string
	found   []Finding
	between map[string]bool // subjects that are no more crossed, but not back either
}

func unknown(reason string) look {
	return look{state: "not known: " + reason, unknown: reason}
}

func nothing(*Alert, *Reading) look { return look{state: "watches the other alerts"} }

// compared is the look of a limit that package monitor compares. check compares with the limit, and
// back with the one that a figure must pass to be told again.
func compared(check, back monitor.Result, basis, open string) look {
	switch check.State {
	case monitor.Unknown:
		return unknown(sentence(check.Text))
	case monitor.OK:
		l := look{state: check.Text}
		if back.State != monitor.OK {
			l.between = map[string]bool{"": true}
		}
		return l
	}
	return look{state: check.Text, found: []Finding{{Text: sentence(check.Text), Basis: basis, Open: open}}}
}

// maxName is the greatest width of a name in a message, in terminal cells.
const maxName = 40

// name returns a name from the server, cleaned and shortened.
func name(text string) string { return strings.TrimSpace(termtext.Fit(termtext.Line(text), maxName)) }

// sentence begins a text with a capital letter and ends it with a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}

// back returns the value above which a figure has recovered: a twentieth above the limit, or 1 if
// that is more.
func back(limit int64) int64 { return limit + max(1, (limit+19)/20) }

func runwayBelow(a *Alert, r *Reading) look {
	limit, above := apiclient.MonthsOf(a.months), apiclient.MonthsOf(back(a.months))
	return compared(monitor.Thresholds{RunwayBelow: &limit}.Runway(r.Cash),
		monitor.Thresholds{RunwayBelow: &above}.Runway(r.Cash),
		"An estimate: spendable cash divided by the average net burn of full months. "+r.age(),
		"tarmac cash-position --why")
}

func cashBelow(a *Alert, r *Reading) look {
	limit, err := a.amount.In(r.Cash.OnHand.Currency)
	if err != nil {
		return unknown(limitError(a, err))
	}
	above := back(limit)
	return compared(monitor.Thresholds{CashBelow: &limit}.Cash(r.Cash), monitor.Thresholds{CashBelow: &above}.Cash(r.Cash),
		"All settled cash, held and locked included. "+r.age(), "tarmac account")
}

func limitError(a *Alert, err error) string { return fmt.Sprintf("the limit %s %v", a.Limit, err) }

// age says how old the balance is.
func (r *Reading) age() string {
	if r.Account == nil || r.Account.SyncedAt == nil || !figures.IsPlausible(*r.Account.SyncedAt) {
		return "The age of the balance is not known."
	}
	n, unit := plural.Span(max(0, r.Now.Sub(*r.Account.SyncedAt)))
	return "Balance of " + plural.Count(n, unit) + " ago."
}

func silentBank(a *Alert, r *Reading) look {
	limit := time.Duration(a.number) * 24 * time.Hour
	if !r.OwnBooks {
		at := r.Account.SyncedAt
		if at == nil || !figures.IsPlausible(*at) {
			return unknown("the server does not say how old the balance is")
		}
		l := look{state: strings.TrimSuffix(strings.ToLower(r.age()), ".")}
		if r.Now.Sub(*at) > limit {
			l.found = []Finding{{Text: sentence("the " + l.state + " (older than " + plural.Count(a.number, "day") + ")"),
				Open: "tarmac account"}}
		}
		return l
	}
	l, oldest := look{}, 0
	for i := range r.Accounts {
		account := &r.Accounts[i]
		days, known := account.Age(civil.Of(r.Now))
		if !known || account.Role == "closed" || account.Role == "excluded" {
			continue
		}
		if oldest = max(oldest, days); days > int(a.number) {
			l.found = append(l.found, Finding{
				Subject: account.Label(), Text: "Nothing newer than " + plural.Count(days, "day") + " is known of " +
					name(account.Label()) + " (older than " + plural.Count(a.number, "day") + ").",
				Basis: "Its newest statement ends on " + account.Newest().String() + ".", Open: "tarmac books",
			})
		}
	}
	l.state = "the oldest statement ends " + plural.Count(oldest, "day") + " ago"
	return l
}

func doNotAddUp(_ *Alert, r *Reading) look {
	if !r.OwnBooks {
		return unknown("this is of own books alone")
	}
	var l look
	for i := range r.Accounts {
		if account := &r.Accounts[i]; account.Contradiction {
			l.found = append(l.found, Finding{
				Subject: account.Label(), Text: sentence(name(account.Label()) + " does not add up: " + account.Proof()),
				Open: "tarmac books",
			})
		}
	}
	l.state = plural.Count(len(l.found), "account") + " of " + fmt.Sprint(len(r.Accounts)) + " not adding up"
	return l
}

func tokenExpires(a *Alert, r *Reading) look {
	at := r.Token.TokenExpiresAt
	if at == nil {
		return look{state: "the token does not expire, or the server does not say"}
	}
	l := look{state: "the token expires on " + civil.Of(*at).String()}
	if at.Sub(r.Now) < time.Duration(a.number)*24*time.Hour {
		l.found = []Finding{{Text: sentence(l.state), Open: "tarmac login"}}
	}
	return l
}

func unreachable(_ *Alert, r *Reading) look {
	if r.Unreachable == "" {
		return look{state: "the server answers"}
	}
	return look{state: r.Unreachable, found: []Finding{{Text: sentence(r.Unreachable), Open: "tarmac doctor"}}}
}
