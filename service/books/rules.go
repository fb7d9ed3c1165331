package books

import (
	"iter"
	"regexp"
	"strings"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Outcome is what a person's rules say about a line.
type Outcome struct {
	Rule         int    // number of the rule that applies, from 1; 0 if none does
	Counterparty string // "" leaves the name to Name
	Category     string
	Memo         string // "" leaves the bank's text
	Transfer     TransferRule
}

// TransferRule is what a rule says about transfers between own accounts.
type TransferRule struct {
	Set     bool   // the rule has the key transfer
	Own     bool   // the line is a half of a transfer between own accounts
	Account string // the other account (Account.isCalled); "" for any
}

// Rules are a person's rules in the order of their file.
type Rules []Rule

// Rule is a rule about lines of statements.
type Rule struct {
	Line      int            // number of the line of the file where the rule begins
	Match     *regexp.Regexp // without case, over description, counterparty and reference
	Account   string         // the line's account (Account.isCalled); "" for any
	Amount    string         // decimal amount without sign, in the line's currency; "" for any
	Direction *ledger.Direction

	Counterparty string
	Category     string
	Memo         string
	Transfer     TransferRule
}

// Apply returns what the first rule that matches a line says about it.
func (r Rules) Apply(a Account, l bank.Line) Outcome {
	for i := range r {
		if rule := &r[i]; rule.matches(a, &l) {
			return Outcome{
				Rule: i + 1, Counterparty: rule.Counterparty, Category: rule.Category, Memo: rule.Memo,
				Transfer: rule.Transfer,
			}
		}
	}
	return Outcome{}
}

// Hits returns for each rule the number of lines that it decided.
func (r Rules) Hits(outcomes iter.Seq[Outcome]) []int {
	hits := make([]int, len(r))
	for o := range outcomes {
		if o.Rule > 0 && o.Rule <= len(hits) {
			hits[o.Rule-1]++
		}
	}
	return hits
}

func (r *Rule) matches(a Account, l *bank.Line) bool {
	if r.Direction != nil && *r.Direction != direction(l.Minor) || r.Account != "" && !a.isCalled(r.Account) {
		return false
	}
	if !r.Match.MatchString(l.Description) && !r.Match.MatchString(l.Counterparty) && !r.Match.MatchString(l.Reference) {
		return false
	}
	if r.Amount == "" {
		return true
	}
	minor, err := bank.ParseAmount(r.Amount, '.', a.Currency)
	return err == nil && minor == magnitude(l.Minor)
}

// isCalled reports whether a person means the account: its number, the last four characters of
// it, or its name. Capitals, blanks and dashes make no difference.
func (a Account) isCalled(text string) bool {
	wanted, number := squeeze(strings.TrimLeft(text, ".…*x ")), squeeze(a.Number)
	switch {
	case wanted == "":
		return false
	case wanted == number, wanted == squeeze(a.Name):
		return true
	}
	return len(wanted) == lastCharacters && len(number) > lastCharacters && strings.HasSuffix(number, wanted)
}

// lastCharacters is the number of characters at the end of an account's number that people and
// banks call it by.
const lastCharacters = 4

// squeeze returns the letters and digits of a text, in capitals.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./_'", r) {
			return -1
		}
		return r
	}, strings.ToUpper(text))
}
