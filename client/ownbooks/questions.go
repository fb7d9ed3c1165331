package ownbooks

import (
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// OpenQuestion is a question about the lines of the books that only the user can answer, such as
// whether money of a payer is financing.
type OpenQuestion struct {
	ID, Kind  string
	Date      string
	Text      string
	Meanwhile string // how the books treat the lines until the question is answered
	Choices   []Choice
}

// Choice is a possible answer to an OpenQuestion.
type Choice struct {
	Answer  string // word that the user types
	Text    string // consequence of the answer
	Changes string // what the net burn is with the answer; "" if that stays or is not known
}

// Answered describes an answered question.
type Answered struct {
	Text string // sentences about what has changed
	Left int    // number of questions that are still open
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
