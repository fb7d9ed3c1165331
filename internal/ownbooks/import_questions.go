package ownbooks

import (
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/civil"
)

// Batch is a set of files to import.
type Batch struct {
	Files          []string // absolute paths
	Answers        []Answer
	AcceptResidual bool // import lines even if they do not add up to the balances
}

// Question is what the user must decide about a file before it can be imported, or the balance of
// an account, which no file says and the user may not know.
type Question struct {
	File    int // index in Batch.Files
	Name    string
	Reason  string
	Flag    string   // the flag of "tarmac import" for the answer
	Choices []string // possible answers; empty if the answer may be any text

	Labels   []string // what the choices are called; empty if by their own texts
	Proposed string   // a likely answer; "" if there is none
	Samples  []string // rows that the question is about, at most MaxSamples

	Account, Currency string     // of a balance
	Day               civil.Date // of a balance typed without a day
}

// MaxSamples is the number of rows next to a question.
const MaxSamples = 3

// Skip answers a question about a file: the file is left out.
const Skip = "skip"

// balanceFlag is the Flag of questions about balances.
const balanceFlag = "--balance"

// Flags of the questions that the first import of new books asks.
const (
	NameFlag     = "--name"
	CurrencyFlag = "--report-in"
)

// NameQuestion asks for the name of the company of new books. proposed is the name that the files
// suggest, or "".
func NameQuestion(proposed string) Question {
	return Question{
		Name: "Your company", Flag: NameFlag, Proposed: proposed,
		Reason: "what is it called, as banks write it? Payments between your own accounts are recognized by it. " +
			"`tarmac books company` changes it later",
	}
}

// CheckName returns an error for a text that answers another question than that for a name.
func CheckName(text string) error {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "y", "yes", "n", "no", "ok", "ja", "oui", "si", "sí", "nein", "non":
		return fmt.Errorf("%q is hardly a company's name; type the name in full", strings.TrimSpace(text))
	}
	return nil
}

// CurrencyQuestion asks in which currency new books report. The currencies are those of the lines,
// the most frequent first; counts says how many lines have them.
func CurrencyQuestion(currencies []string, counts string) Question {
	return Question{
		Name: "Your figures", Flag: CurrencyFlag, Choices: currencies,
		Reason: "there are " + counts + "; choose the currency of your figures",
	}
}

// IsGeneral reports whether the question is about the books and not about a file.
func (q *Question) IsGeneral() bool { return q.Flag == NameFlag || q.Flag == CurrencyFlag }

// Of returns the answer to the question with a flag, or "".
func (b *Batch) Of(flag string) string {
	for _, a := range b.Answers {
		if a.Question.Flag == flag {
			return a.Text
		}
	}
	return ""
}

// With returns the batch with other files. Answers about files that it still has stay.
func (b *Batch) With(files []string) Batch {
	with := Batch{Files: files}
	for _, a := range b.Answers {
		if !a.Question.IsGeneral() && !a.Question.IsOptional() {
			at := slices.Index(files, b.Files[a.Question.File])
			if at < 0 {
				continue
			}
			a.Question.File = at
		}
		with.Answers = append(with.Answers, a)
	}
	return with
}

// IsOptional reports whether the question may be left unanswered: that about a balance.
func (q *Question) IsOptional() bool { return q.Flag == balanceFlag }

// BalanceQuestion asks for the balance of an account, which is named by its number or name, after
// its line of the last day.
func BalanceQuestion(account, name, currency string, last civil.Date, isCard bool) Question {
	reason := "no file says a balance of this account in " + currency + ". Without one, cash is unknown"
	if !last.IsZero() {
		reason = "what was its balance in " + currency + " after the last payment, on " + last.Time().Format("2 Jan 2006") +
			"? No file says it, and without it cash is unknown"
	}
	if isCard {
		reason += ". What the card owes is negative"
	}
	return Question{Name: name, Flag: balanceFlag, Account: account, Currency: currency, Day: last, Reason: reason}
}

// Balance returns the answer to a question about a balance with a day: Day if the answer has none.
func (q *Question) Balance(answer string) string {
	answer = strings.TrimSpace(answer)
	if q.Day.IsZero() || strings.ContainsAny(answer, "@ ") {
		return answer
	}
	return answer + "@" + q.Day.String()
}

// Option is an answer that the user can choose, with what it is called and what it means.
type Option struct{ Answer, Label, Means string }

// Options returns the answers from which the user can choose, the likeliest first.
func (q *Question) Options() (options []Option) {
	if q.IsAccount() && q.Proposed != "" {
		options = append(options, Option{q.Proposed, q.Proposed, "a new account"})
	}
	for n, choice := range q.Choices {
		label := choice
		if n < len(q.Labels) {
			label = q.Labels[n]
		}
		options = append(options, Option{choice, label, ChoiceMeans(choice)})
	}
	if !q.IsGeneral() && !q.IsOptional() {
		options = append(options, Option{Skip, "skip", "leave this file out"})
	}
	return options
}

// IsAccount reports whether the question is of which account a file is.
func (q *Question) IsAccount() bool { return q.Flag == "--account" }

// Answer is the user's answer to a question.
type Answer struct {
	Question Question
	Text     string
}

// Answered reports whether the batch has an answer to the question.
func (b *Batch) Answered(q *Question) bool {
	return slices.ContainsFunc(b.Answers, func(a Answer) bool {
		return a.Question.File == q.File && a.Question.Flag == q.Flag && a.Question.Account == q.Account
	})
}

// Subject returns what the question asks for, such as "date-format".
func (q *Question) Subject() string {
	if q.Flag == CurrencyFlag {
		return "currency"
	}
	return strings.TrimPrefix(q.Flag, "--")
}

// Prompt returns the question as a prompt, with its choices.
func (q *Question) Prompt() string {
	switch {
	case q.IsOptional():
		if !q.Day.IsZero() {
			return "Type the balance, or one of another day, such as 12,340.50 on 2026-09-30"
		}
		return "Type the balance and its day, such as 12,340.50 on 2026-09-30"
	case q.IsAccount():
		return "Type the name of a new account, one of these, or skip"
	case len(q.Choices) == 0:
		return "Type the " + q.Subject()
	}
	choices := strings.Join(append(slices.Clone(q.Choices), Skip), ", ")
	if q.IsGeneral() {
		choices = strings.Join(q.Choices, ", ")
	}
	if q.Flag == "--same-account" {
		return fmt.Sprintf("Is it of that account? Type %s", choices)
	}
	return fmt.Sprintf("Type the %s (%s)", q.Subject(), choices)
}

// ChoiceMeans explains a choice of a question. It returns "" if the choice explains itself.
func ChoiceMeans(choice string) string {
	switch choice {
	case "dmy":
		return "day first: 03/04 is 3 April"
	case "mdy":
		return "month first: 03/04 is 4 March"
	case "ymd":
		return "year first: 2026/03/04"
	case "point":
		return "1,500.00 is fifteen hundred"
	case "comma":
		return "1.500,00 is fifteen hundred"
	case "out-negative":
		return "negative amounts are money out"
	case "out-positive":
		return "positive amounts are money out, as on many cards"
	case "yes":
		return "the file is of that account"
	case "no":
		return "two accounts have the same lines"
	case "debit-out":
		return "debits are money out, as banks write"
	case "debit-in":
		return "debits are money in, as in a company's own books"
	}
	return ""
}

// Question returns the first question that the batch has no answer to: about new books, about a
// file or, if all files can be imported, about a balance. It returns nil if there is none.
func (r *Report) Question(b *Batch) *Question {
	for i := range r.General {
		if q := &r.General[i]; r.HasContent() && !b.Answered(q) {
			return q
		}
	}
	for i := range r.Files {
		if q := r.Files[i].Question; q != nil {
			return q
		}
	}
	for i := range r.Balances {
		if q := &r.Balances[i]; !r.Failed() && !b.Answered(q) {
			return q
		}
	}
	return nil
}
