package bookrules

import (
	"iter"
	"regexp"
	"strings"

	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Outcome is what the user's rules say about a line of a statement.
type Outcome struct {
	Rule         int    // number of the rule that applies, from 1; 0 if none does
	Counterparty string // name of the other party; "" if the function Name decides
	Category     string
	Memo         string // text of the transaction; "" if the bank's text is used
	Transfer     TransferRule
}

// TransferRule is what a rule says about transfers between two accounts of the organization.
type TransferRule struct {
	Set     bool   // true if the rule has the key "transfer"
	Own     bool   // true if the line is one side of a transfer
	Account string // number or name of the other account (Account.isCalled); "" for any
}

// Rules holds the user's rules in the order of the rules file.
type Rules []Rule

// Rule says how lines that meet its conditions become transactions.
type Rule struct {
	Line int // number of the line in the rules file at which the rule begins
	// Match must match the description, the counterparty or the reference of a line. It ignores
	// letter case.
	Match     *regexp.Regexp
	Account   string // number or name of the line's account (Account.isCalled); "" for any
	Amount    string // decimal amount without sign in the account's currency; "" for any
	Direction *ledger.Direction

	Counterparty string
	Category     string
	Memo         string
	Transfer     TransferRule
}

// Apply returns what the first rule that matches a line says about it. The Outcome is zero if no
// rule matches.
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

// Hits returns how many of the outcomes each rule decided.
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

// isCalled reports whether text names the account, by its number, by the last four characters of
// the number, or by its name. Letter case, blanks and dashes are ignored.
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

// lastCharacters is the number of characters at the end of an account number by which people and
// banks name the account.
const lastCharacters = 4

// squeeze returns a text in capitals, without blanks and the punctuation that separates groups of
// digits or words.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./_'", r) {
			return -1
		}
		return r
	}, strings.ToUpper(text))
}
