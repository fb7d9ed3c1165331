package ownbooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// OpenQuestion is a question about the lines of the books that only the user can answer, such as
// whether money of a payer is financing.
type OpenQuestion struct {
	ID        string       `json:"id"` // the same after each import
	Kind      QuestionKind `json:"kind"`
	Date      string       `json:"date"`
	Text      string       `json:"question"`
	Meanwhile string       `json:"meanwhile"` // how the books treat the lines until the question is answered
	Choices   []Choice     `json:"choices"`
	// Given is the answer that the user has given; "" for a question that is open.
	Given string `json:"answer,omitempty"`
}

// QuestionKind says what an OpenQuestion is about.
type QuestionKind string

// Choice is a possible answer to an OpenQuestion.
type Choice struct {
	Answer string `json:"answer"` // word that the user types
	Text   string `json:"text"`   // consequence of the answer
	// Changes says what the net burn is with the answer, such as "no net burn". It is "" if the
	// answer does not change it, or if that is not known.
	Changes string `json:"changes,omitempty"`
	// BurnCents is the net burn of a month in minor units of the currency of reports; nil if
	// Changes is "".
	BurnCents *int64 `json:"monthly_burn_cents,omitempty"`
	// Stored is the text of the answer in the database.
	Stored string `json:"-"`
}

// Answered describes an answered question and what has changed.
type Answered struct {
	ID          string `json:"id"`
	Answer      string `json:"answer"`
	Effect      string `json:"effect"`
	ChangedRows int    `json:"changed_rows"` // number of transactions that were added, changed or removed
	// PaidInvoices has the numbers of the company's own invoices that the change has paid.
	PaidInvoices []string `json:"paid_invoices"`
	Open         int      `json:"open"` // number of questions that are still open
}

// MarkedBill is a bill with the state that a person gave it: open, paid or disputed.
type MarkedBill struct {
	Number string `json:"number"`
	Vendor string `json:"vendor"`
	State  string `json:"state"`
	Open   int    `json:"open_questions"` // number of questions that are still open
}

// Sentence says how the bill is marked.
func (b *MarkedBill) Sentence() string {
	return fmt.Sprintf("%s of %s is marked %s. %s open.", cmp.Or(b.Number, "A bill"), b.Vendor, b.State,
		plural.Count(b.Open, "question"))
}

// Sentences say what the answer has changed.
func (a *Answered) Sentences() []string {
	return append([]string{fmt.Sprintf("Answered %s: %s. %s changed.", a.Answer, a.Effect,
		plural.Count(a.ChangedRows, "transaction"))}, PaidSentences(a.PaidInvoices)...)
}

// PaidSentences returns a sentence for each of the company's own invoices that are paid now.
func PaidSentences(numbers []string) []string {
	sentences := make([]string, len(numbers))
	for n, number := range numbers {
		sentences[n] = number + " is paid now."
	}
	return sentences
}

// Status says what the answer to the question is, or what the books do until there is one.
func (q *OpenQuestion) Status() string {
	if q.Given != "" {
		return "Your answer: " + q.Given + "."
	}
	return q.Meanwhile
}

// Line returns the choice in one line: its answer, what it means, and what the net burn is.
func (c *Choice) Line() string { return c.Answer + ": " + c.Means() }

// Means returns what the choice means, and what the net burn is with it.
func (c *Choice) Means() string {
	if c.Changes == "" {
		return c.Text
	}
	return c.Text + "; " + c.Changes
}

// Chosen returns the answer that the user means by a typed text: the answer in upper or lower case,
// or the first letter of yes or no.
func (q *OpenQuestion) Chosen(typed string) (answer string, ok bool) {
	at := slices.IndexFunc(q.Choices, func(c Choice) bool {
		return strings.EqualFold(c.Answer, typed) ||
			(c.Answer == "yes" || c.Answer == "no") && strings.EqualFold(c.Answer[:1], typed)
	})
	if at < 0 {
		return "", false
	}
	return q.Choices[at].Answer, true
}

// Answers lists the possible answers, with sep between them.
func (q *OpenQuestion) Answers(sep string) string {
	words := make([]string, len(q.Choices))
	for n, c := range q.Choices {
		words[n] = c.Answer
	}
	return strings.Join(words, sep)
}

// ToAnswer says how many questions are open.
func ToAnswer(questions int) string { return plural.Count(questions, "question") + " to answer" }

// LeftText says how many questions were answered, and how many are still open.
func LeftText(answered, left int) string {
	text := plural.Count(answered, "question") + " answered, none left."
	if left > 0 {
		text = plural.Count(answered, "question") + " answered, " + money.Count(int64(left)) + " left."
	}
	return text
}
