package ownbooks

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Brings says what a provider brings into the books.
func (k *ProviderKind) Brings() string {
	switch k.Name {
	case "mercury":
		return "live balance and transactions of your Mercury account"
	case "simplefin":
		return "accounts at banks, through the SimpleFIN Bridge"
	case "stripe":
		return "open invoices at Stripe"
	}
	return "accounts at " + k.Title
}

// TokenHelp says which token connects the provider, and where it can be made.
func (k *ProviderKind) TokenHelp() string {
	switch k.Name {
	case "mercury":
		return "An API token that can only read. Make one at Mercury: Settings, API Tokens, Read Only."
	case "simplefin":
		return "A setup token. Connect your bank at bridge.simplefin.org and create a new connection for an app there. " +
			"The token can be used once."
	case "stripe":
		return "A restricted key (rk_live_…) that can only read Invoices. Make one at Stripe: Developers, API keys, " +
			"Create restricted key."
	}
	return "A token of " + k.Title + " that can only read."
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
	return !c.LastSuccess.IsZero() && now.Sub(c.LastSuccess) > 2*c.Every
}

// LastText says how long ago the connection was last read successfully, such as "3 minutes ago".
func (c *Connection) LastText(now time.Time) string {
	if c.LastSuccess.IsZero() {
		return "never"
	}
	return span(now.Sub(c.LastSuccess)) + " ago"
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
	labels := map[string][]string{}
	var reasons []string
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
		sentences = append(sentences, strings.Join(labels[reason], " and ")+": "+reason)
	}
	return sentences
}

// Trouble returns the sentence that the user should read first: the problem, what does not add up,
// or what to do. It returns "" if there is none.
func (c *Connection) Trouble() string { return cmp.Or(c.Problem, c.Residual, c.Advice()) }

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
	add(Bad, "Problem", c.Problem)
	add(Neutral, "Do", c.Advice())
	add(Bad, "Balances", c.Residual)
	add(Caution, "Notices", strings.Join(c.Notices, "\n"))
	last := c.LastText(now)
	if !c.LastSuccess.IsZero() {
		last += ", " + minute(c.LastSuccess)
	}
	add(Neutral, "Last read", last)
	if c.Failures > 0 {
		add(Neutral, "Last try", span(now.Sub(c.LastTry))+" ago, failed "+times(c.Failures))
	}
	next := c.NextText(now)
	if next != money.Dash {
		next += "; every " + span(c.Every)
	}
	add(Neutral, "Next", next)
	if c.RequestsLeft >= 0 {
		add(Neutral, "Today", plural.Count(c.RequestsLeft, "more reading")+" can be asked for")
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

// Fact says which account of the books the account is read into, and its balance. The function
// amount returns minor units of a currency as text.
func (a *ConnectedAccount) Fact(amount func(minor int64, currency string) string) Fact {
	f := Fact{Label: "Account", Text: a.Label()}
	if a.Balance != nil {
		f.Text += ", " + amount(*a.Balance, a.Currency)
	}
	switch {
	case a.Refused != "":
		f.Text += ", not read: " + a.Refused
	case !a.Taken:
		f.Text += ", not read"
	case a.BooksAccount != "" && a.BooksAccount != a.Label() && AccountText(a.BooksAccount) != a.Number:
		f.Text += ", in the books as " + AccountText(a.BooksAccount)
	}
	if a.Missing {
		f.Text, f.Level = f.Text+"; the provider does not list it any more", Caution
	}
	return f
}

// Label returns the bank, name and number of the account as far as they are known, or else its id.
func (a *ConnectedAccount) Label() string {
	parts := []string{a.Bank, a.Name, a.Number}
	if strings.Contains(a.Name, strings.TrimPrefix(a.Number, "…")) {
		parts = parts[:2]
	}
	if a.Bank != "" && strings.HasPrefix(a.Name, a.Bank) {
		parts = parts[1:]
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return cmp.Or(strings.Join(parts, " "), a.ID)
}

// AccountText returns the number or name of an account of the books for the user: of a number, "…"
// and the last four characters.
func AccountText(account string) string {
	const shown = 4
	end := account[max(0, len(account)-shown):]
	if len(account) <= shown || strings.Trim(end, "0123456789") != "" || strings.ContainsAny(account, " …") {
		return account
	}
	return "…" + end
}

// TakenCount says how many accounts are read into the books, such as "2 of 3".
func (c *Connection) TakenCount() string {
	taken := 0
	for _, a := range c.Accounts {
		if a.Taken {
			taken++
		}
	}
	switch {
	case len(c.Accounts) == 0:
		return money.Dash
	case taken == len(c.Accounts):
		return money.Count(int64(taken))
	}
	return money.Count(int64(taken)) + " of " + money.Count(int64(len(c.Accounts)))
}

// Chosen returns the accounts that are proposed to be read: those that were taken before, or else
// all that can be taken.
func (c *Connection) Chosen() []bool {
	again := slices.ContainsFunc(c.Accounts, func(a ConnectedAccount) bool { return a.Taken })
	chosen := make([]bool, len(c.Accounts))
	for n, a := range c.Accounts {
		chosen[n] = a.Refused == "" && !a.Missing && (a.Taken || !again)
	}
	return chosen
}

// Targets returns the accounts of the books into which the account can be read, the proposed one
// first. A name that is not in Matches is that of a new account.
func (c *Connection) Targets(a *ConnectedAccount) []string {
	targets := []string{a.BooksAccount}
	for _, match := range a.Matches {
		if match != a.BooksAccount {
			targets = append(targets, match)
		}
	}
	if !a.Taken && slices.Contains(a.Matches, a.BooksAccount) {
		targets = append(targets, c.NewAccount(a))
	}
	return targets
}

// NewAccount returns the name of a new account of the books for an account that may have one there.
func (c *Connection) NewAccount(a *ConnectedAccount) string {
	return strings.TrimSpace(c.Title + " " + cmp.Or(a.Name, a.Number))
}

// IsNew reports whether a target of the account is a new account of the books.
func (a *ConnectedAccount) IsNew(target string) bool {
	return !a.Taken && !slices.Contains(a.Matches, target)
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
func (o *SyncOutcome) Text() string {
	var parts []string
	for _, part := range []struct {
		count int
		text  string
	}{{o.Added, "new"}, {o.Changed, "changed"}, {o.Removed, "removed"}} {
		if part.count > 0 {
			parts = append(parts, plural.Count(part.count, "line")+" "+part.text)
		}
	}
	if problem := strings.TrimSuffix(o.Problem, "."); problem != "" {
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
func SyncText(outcomes []SyncOutcome) (text string, failed bool) {
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
