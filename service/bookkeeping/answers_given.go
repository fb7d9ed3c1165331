package bookkeeping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/service/store"
)

// askAgain is the choice that takes an answer back.
var askAgain = ownbooks.Choice{Answer: "open", Text: "it is asked again"}

// GivenAnswers returns the questions that the user has answered, the oldest first. Each has its
// answer, and askAgain among its choices. Answers about what the books no longer have are left out.
func (b *Books) GivenAnswers(ctx context.Context) ([]ownbooks.OpenQuestion, error) {
	given := []ownbooks.OpenQuestion{}
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		l, err := b.load(snap)
		if err != nil {
			return err
		}
		answers := maps.Clone(l.answers)
		maps.DeleteFunc(l.answers, func(key, _ string) bool { return !strings.HasPrefix(key, billKey) })
		mt, err := l.matching()
		if err != nil {
			return err
		}
		mt.addAnswered(answers)
		for _, q := range mt.questions {
			q.OpenQuestion = q.shown()
			if q.Given = q.given(answers[q.key]); q.Given != "" {
				q.Choices = append(q.Choices, askAgain)
				given = append(given, q.OpenQuestion)
			}
		}
		return nil
	})
	slices.SortStableFunc(given, func(a, b ownbooks.OpenQuestion) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Text, b.Text), cmp.Compare(a.ID, b.ID))
	})
	ownbooks.Clean(given)
	return given, err
}

// addAnswered adds the questions that are asked only after another answer, or that would not be
// asked any more.
func (mt *matching) addAnswered(answers map[string]string) {
	asked := map[string]bool{}
	for _, q := range mt.questions {
		asked[q.key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		if asked[key] {
			continue
		}
		if pair, ok := mt.parseTransferKey(key); ok {
			mt.add(mt.transferQuestion(pair))
		} else if q, ok := answeredFinancing(key, answers[key]); ok {
			a, _, _ := parseFinancing(key, answers[key])
			q.Text = "Money from " + payerText(a.PayerKey) + ": is it investors' or a lender's?"
			if isPaidOut(key) {
				q.Text = "Money to " + payerText(a.PayerKey) + ": is it not a cost?"
			}
			mt.questions = append(mt.questions, &q)
		} else if q, ok := mt.books.answeredOwnMoney(key, answers[key]); ok {
			mt.questions = append(mt.questions, &q)
		}
	}
}

// given returns the answer that is stored as a text; "" if there is none.
func (q *question) given(stored string) string {
	for _, c := range q.Choices {
		word, answer := c.Stored, stored
		switch q.Kind {
		case AboutFinancing, AboutTransfer, AboutOwnMoney, AboutPaidOut, AboutQuiet:
			// The rest is the amount or the day that the answer was given about.
			word, _, _ = strings.Cut(word, " ")
			answer, _, _ = strings.Cut(answer, " ")
		}
		if stored != "" && word == answer {
			return c.Answer
		}
	}
	return ""
}
