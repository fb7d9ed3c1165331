package books

import (
	"testing"

	"tarmac/service/bookkeeping"
)

func TestQuestionsOfTheScreensAreSafeToPrint(t *testing.T) {
	const bad = "a\x1b[31m\nb"
	q := openQuestionOf(bookkeeping.Question{
		ID: "ask_1", Kind: bookkeeping.AboutPayment, Date: "2026-09-03", Text: bad, Meanwhile: bad,
		Choices: []bookkeeping.Choice{{Answer: bad, Text: bad, Changes: bad}},
	})

	if q.ID != "ask_1" || q.Kind != "payment" || q.Date != "2026-09-03" {
		t.Errorf("the question is %+v", q)
	}
	for _, text := range []string{q.Text, q.Meanwhile, q.Choices[0].Answer, q.Choices[0].Text, q.Choices[0].Changes} {
		if text != "a[31m b" && text != "a b" {
			t.Errorf("%q is not clean", text)
		}
	}
}
