package ownbooks

import (
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Level says how urgently a fact needs the user's attention.
type Level int

// Levels of facts.
const (
	Neutral Level = iota
	Good
	Caution // something is missing or old
	Bad     // the data contradict each other
)

// Fact is a labelled fact about an account or an import. Text may have several lines.
type Fact struct {
	Label, Text string
	Level       Level
}

// ProofLevel returns Good if the lines of the account add up to its balances, Bad if they do not,
// and Caution if too few balances are known to check it.
func (a *Account) ProofLevel() Level {
	switch {
	case a.Contradiction:
		return Bad
	case a.Balance == nil || len(a.Proven) == 0:
		return Caution
	}
	return Good
}

// Facts returns all facts about the account, the most urgent ones first. The function amount
// returns minor units of a currency as text.
func (a *Account) Facts(today civil.Date, amount func(minor int64, currency string) string) []Fact {
	balance := money.Dash + ": no file states one, so that the cash of the company is unknown"
	if a.Balance != nil {
		balance = amount(*a.Balance, a.Currency) + " on " + a.AsOf.String()
	}
	proof := a.Proof()
	if a.Contradiction {
		proof = "no"
	}
	facts := []Fact{{Label: "Balance", Text: balance}, {Label: "Adds up", Text: proof, Level: a.ProofLevel()}}
	for _, d := range a.Differences {
		facts = append(facts, Fact{
			Label: "Difference", Level: Bad,
			Text: d.Period.String() + ": the balance goes from " + amount(d.FromMinor, a.Currency) + " to " +
				amount(d.ToMinor, a.Currency) + "; the lines lack " + amount(d.ResidualMinor, a.Currency),
		})
	}
	if len(a.Proven) > 0 {
		facts = append(facts, Fact{Label: "Proven", Text: lines(a.Proven, Period.String)})
	}
	newest := a.newestFact(today)
	facts = append(facts, newest, Fact{Label: "Covered", Text: lines(a.Covered, Period.String)})
	if a.AssumedTo != nil {
		facts = append(facts, Fact{Label: "Assumed", Text: "known up to " + a.AssumedTo.Day.String() + ": " + a.why()})
	}
	if gaps := a.Gaps(); len(gaps) > 0 {
		facts = append(facts, Fact{
			Label: plural.Count(len(gaps), "gap"), Level: Caution,
			Text: lines(gaps, spanAndLength) + "\nImport statements of these days to close them.",
		})
	}
	if a.PendingMinor != 0 {
		facts = append(facts, Fact{Label: "Pending", Text: amount(a.PendingMinor, a.Currency) + ", not in the balance"})
	}
	facts = append(facts, Fact{Label: "Lines", Text: money.Count(int64(a.Lines))})
	if a.Name != "" {
		facts = append(facts, Fact{Label: "Name", Text: a.Name})
	}
	return append(facts, Fact{Label: "Role", Text: a.Role + roleMeans(a.Role)})
}

// newestFact says when the newest statement ends, and what to do if it is outdated.
func (a *Account) newestFact(today civil.Date) Fact {
	days, known := a.Age(today)
	f := Fact{Label: "Newest", Text: "statement until " + a.Newest().String() + ", " + plural.Count(days, "day") + " ago"}
	switch {
	case !known:
		f.Text = money.Dash
	case a.Closed:
		f.Text = "statement until " + a.Newest().String() + "; the account is closed"
	case a.Outdated(today):
		f.Text, f.Level = f.Text+". Download and import a newer one.", Caution
	case days == 0:
		f.Text = "statement until today"
	}
	return f
}

// why says why the account is known up to AssumedTo.
func (a *Account) why() string {
	switch a.AssumedTo.Source {
	case "file_name":
		return "the period in the file's name"
	case "balance":
		return "its balance is equal then"
	case "answer":
		return "unchanged, as you answered"
	}
	return "no lines since, assumed unchanged. The question about it settles it."
}

func roleMeans(role string) string {
	switch role {
	case "card":
		return ": what it owes is taken off cash"
	case "closed", "excluded":
		return ": not in cash"
	}
	return ": counts as cash"
}

// lines returns the text of each period on a line of its own, or a dash if there are none.
func lines(periods []Period, text func(Period) string) string {
	if len(periods) == 0 {
		return money.Dash
	}
	all := make([]string, len(periods))
	for i, p := range periods {
		all[i] = text(p)
	}
	return strings.Join(all, "\n")
}

func spanAndLength(p Period) string { return p.String() + " (" + plural.Count(p.Days(), "day") + ")" }

// Facts returns all facts about the import. The function minute returns a time as text.
func (i *Import) Facts(minute func(time.Time) string) []Fact {
	names := make([]string, len(i.Files))
	for n, f := range i.Files {
		names[n] = f.Name + " (" + f.Format + ")"
	}
	return []Fact{
		{Label: "New lines", Text: money.Count(int64(i.New))},
		{Label: "Import", Text: i.ID},
		{Label: "When", Text: minute(i.At)},
		{Label: plural.Count(len(i.Files), "file"), Text: strings.Join(names, "\n")},
	}
}
