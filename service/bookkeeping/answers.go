package bookkeeping

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// mostPaymentQuestions is the largest number of questions about payments that Questions returns. A
// person can't answer more at a time, and an answer to one often answers others.
const mostPaymentQuestions = 1_000

// Questions returns the open questions about the books, the oldest first. Of those that ask which
// invoice or bill a payment pays, it returns the oldest 1,000; CountQuestions counts all.
func (b *Books) Questions(ctx context.Context) ([]ownbooks.OpenQuestion, error) {
	questions := []ownbooks.OpenQuestion{}
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		mt, err := b.matching(snap)
		if err != nil {
			return err
		}
		payments := 0
		for _, q := range mt.questions {
			if q.payment != nil {
				payments++
			}
			if q.payment == nil || payments <= mostPaymentQuestions {
				questions = append(questions, q.shown())
			}
		}
		return nil
	})
	ownbooks.Clean(questions)
	return questions, err
}

// CountQuestions returns the number of open questions. It derives nothing, so it is faster than
// Questions.
func (b *Books) CountQuestions(ctx context.Context) (count int, err error) {
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		questions, err := snap.BookQuestions(b.Org)
		count = len(questions)
		return err
	})
	return count, err
}

// WrongAnswer is the error for an answer that is not one of the question's choices.
type WrongAnswer struct{ Question ownbooks.OpenQuestion }

func (e *WrongAnswer) Error() string {
	words := make([]string, len(e.Question.Choices))
	for n, c := range e.Question.Choices {
		words[n] = termtext.Line(c.Answer)
	}
	return fmt.Sprintf("%s takes one of these answers: %s", e.Question.ID, strings.Join(words, ", "))
}

// Answer stores the user's answer to a question, and derives the books again. The question may have
// been answered before; the answer of askAgain takes that back. Answer returns store.ErrNotFound
// for an unknown id, and *WrongAnswer for an answer that is not one of the question's choices.
func (b *Books) Answer(ctx context.Context, id, answer string) (done ownbooks.Answered, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	err = b.changeBooks(ctx, func(c *change) error {
		c.counting = true
		err := c.derive(func(l *ledgerBooks) (derivedBooks, error) {
			mt, err := c.answer(l, id, answer, &done)
			return derivedBooks{matching: mt}, err
		})
		done.ChangedRows, done.PaidInvoices = c.rows, append([]string{}, c.paid...)
		return err
	})
	ownbooks.Clean(&done)
	return done, err
}

// answer returns the matching of the books with an answer to a question.
func (c *change) answer(l *ledgerBooks, id, answer string, done *ownbooks.Answered) (*matching, error) {
	answered := slices.ContainsFunc(slices.Collect(maps.Keys(l.answers)), func(key string) bool {
		return questionID(key) == id
	})
	q, err := l.question(id)
	if err != nil {
		return nil, err
	}
	q.OpenQuestion = q.shown()
	if answered {
		q.Choices = append(q.Choices, askAgain)
	}
	at := slices.IndexFunc(q.Choices, func(c ownbooks.Choice) bool {
		return strings.EqualFold(c.Answer, answer) || strings.EqualFold(termtext.Line(c.Answer), answer)
	})
	if at < 0 && q.payment != nil {
		if item, found := q.payment.Called(answer); found {
			at, q.Choices = len(q.Choices), append(q.Choices, itemChoice(&item))
		}
	}
	if at < 0 {
		return nil, &WrongAnswer{q.OpenQuestion}
	}
	c.edits.answers = map[string]string{q.key: q.Choices[at].Stored}
	l.answers[q.key] = q.Choices[at].Stored
	if l.answers[q.key] == "" {
		delete(l.answers, q.key)
	}
	mt, err := l.matching()
	if err == nil {
		*done = ownbooks.Answered{ID: id, Answer: q.Choices[at].Answer, Effect: q.Choices[at].Text, Open: len(mt.questions)}
	}
	return mt, err
}

// question returns the question with the given id, which may have been answered before.
func (l *ledgerBooks) question(id string) (question, error) {
	before := ""
	for key, answer := range l.answers {
		if questionID(key) != id {
			continue
		}
		if q, ok := answeredFinancing(key, answer); ok {
			return q, nil
		}
		if q, ok := l.answeredOwnMoney(key, answer); ok {
			return q, nil
		}
		before = key
		delete(l.answers, key)
	}
	mt, err := l.matching()
	if err != nil {
		return question{}, err
	}
	if pair, ok := mt.parseTransferKey(before); ok {
		mt.add(mt.transferQuestion(pair)) // meanwhile the pair may not be the only possible one
	} else if pair, ok := mt.pairWith(func(p bookrules.Pair) bool { return questionID(mt.transferKeyOf(p)) == id }); ok {
		mt.add(mt.transferQuestion(pair)) // about these two lines, not about all lines like them
	}
	at := slices.IndexFunc(mt.questions, func(q *question) bool { return q.ID == id })
	if at < 0 {
		return question{}, fmt.Errorf("question %s: %w", termtext.Line(id), store.ErrNotFound)
	}
	return *mt.questions[at], nil
}

// matching derives all accounts and returns their matching.
func (l *ledgerBooks) matching() (*matching, error) {
	all, err := l.deriveAll()
	if err != nil {
		return nil, err
	}
	return newMatching(l, all)
}
