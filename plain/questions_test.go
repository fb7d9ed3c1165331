package plain_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
)

// asker is own books with two questions. Its other methods are not called.
type asker struct {
	importing.Books
	open    []ownbooks.OpenQuestion
	given   []ownbooks.OpenQuestion // answered ones
	answers []string
	fail    error
}

func newAsker() *asker {
	return &asker{open: []ownbooks.OpenQuestion{
		{
			ID: "ask_1", Text: "25,000.00 USD from Ada Ventures on 2026-09-03: is it investors' or a lender's money?",
			Meanwhile: "It does not count in burn.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: "financing: it does not count in burn"},
				{Answer: "no", Text: "earned: it counts in burn", Changes: "net burn is $33,166.67 a month"},
			},
		},
		{
			ID: "ask_2", Text: "12.00 EUR from Customer Inc on 2026-10-02: which invoice does it pay?",
			Meanwhile: "It pays none.",
			Choices: []ownbooks.Choice{
				{Answer: "INV-7", Text: "INV-7 of Customer Inc, 12.00 EUR due"}, {Answer: "none", Text: "no invoice"},
			},
		},
	}}
}

func (a *asker) List(context.Context) (ownbooks.Contents, error) {
	return ownbooks.Contents{Accounts: []ownbooks.Account{{Number: "…6789"}}, Questions: len(a.open)}, a.fail
}

func (a *asker) GivenAnswers(context.Context) ([]ownbooks.OpenQuestion, error) {
	return slices.Clone(a.given), a.fail
}

func (a *asker) Questions(context.Context) ([]ownbooks.OpenQuestion, error) {
	return slices.Clone(a.open), a.fail
}

func (a *asker) Answer(_ context.Context, id, answer string) (ownbooks.Answered, error) {
	if a.fail != nil {
		return ownbooks.Answered{}, a.fail
	}
	a.answers = append(a.answers, id+" "+answer)
	a.open = slices.DeleteFunc(a.open, func(q ownbooks.OpenQuestion) bool { return q.ID == id })
	return ownbooks.Answered{Answer: answer, Effect: "noted", ChangedRows: 1, Open: len(a.open)}, nil
}

func TestQuestionsAreListedAndAnsweredByTheirNumbers(t *testing.T) {
	a := newAsker()
	k := talk{client: serve(t).client, books: a}

	text := k.say(t, "answer 1 yes", "books", "questions", "answer 1 perhaps", "answer 3 yes", "answer 1 N",
		"answer 2 inv-7", "answer 1 yes", "questions")

	inOrder(t, text, `Type questions first`, `2 questions to answer: type questions\.`, `2 questions to answer:`,
		`1: 25,000\.00 USD from Ada Ventures on 2026-09-03: is it investors'`, `money\? It does not count in burn\.`,
		`yes: financing: it does not count in burn\.`,
		`no: earned: it counts in burn; net burn is \$33,166\.67 a month\.`,
		`2: 12\.00 EUR from Customer Inc`, `Type answer with a number and an answer, such as answer 1 yes\.`,
		`Question 1 takes one of these answers: yes, no\.`, `Enter a number from the list: 1 to 2\.`,
		`Answered no: noted\. 1 transaction changed\.`, `1 question to answer\.`, `Answered INV-7: noted\.`,
		`No open questions\.`,
		`Answered yes: noted\.`, `No open questions\.`)
	if want := []string{"ask_1 no", "ask_2 INV-7", "ask_1 yes"}; !slices.Equal(a.answers, want) {
		t.Errorf("answers are %q, want %q", a.answers, want)
	}
	readable(t, text)
}

func TestGivenAnswersAreListedAndTakenBack(t *testing.T) {
	a := newAsker()
	given := a.open[0]
	given.Given, given.Choices = "yes", append(given.Choices, ownbooks.Choice{Answer: "open", Text: "it is asked again"})

	none := talk{client: serve(t).client, books: a}.say(t, "questions answered", "questions open")
	a.given = []ownbooks.OpenQuestion{given}
	text := talk{client: serve(t).client, books: a}.say(t, "questions answered", "answer 1 open")

	inOrder(t, none, `No question was answered yet\.`, `Type questions, or questions answered\.`)
	inOrder(t, text, `1 question answered:`, `1: 25,000\.00 USD from Ada Ventures.*money\? Your answer: yes\.`,
		`open: it is asked again\.`, `Type answer with a number and an answer, such as answer 1 open\.`, `Answered open`)
	if want := []string{"ask_1 open"}; !slices.Equal(a.answers, want) {
		t.Errorf("answers are %q, want %q", a.answers, want)
	}
}

func TestFailuresOfQuestionsAreSaid(t *testing.T) {
	a := newAsker()
	k := talk{client: serve(t).client, books: a}
	a.fail = errors.New("the books are in use")

	text := k.say(t, "questions", "answer 1 yes")

	inOrder(t, text, `The questions could not be read: [Tt]he books are in use\.`, `Type questions first`)
}

func TestAmountsOfQuestionsAreHidden(t *testing.T) {
	text := talk{client: serve(t).client, books: newAsker()}.say(t, "mask", "questions")

	inOrder(t, text, `1: hidden USD from Ada Ventures on 2026-09-03`, `net burn is hidden a month`)
}

func TestAReadOnlySessionListsQuestionsOnly(t *testing.T) {
	a := newAsker()

	text := talk{client: serve(t).client, books: a, readOnly: true}.say(t, "questions", "answer 1 yes")
	none := talk{client: serve(t).client}.say(t, "questions", "q")

	inOrder(t, text, `2 questions to answer:`, `Unknown command "answer"`)
	inOrder(t, none, `Unknown command "questions"`)
	if len(a.answers) > 0 {
		t.Errorf("answers are %q", a.answers)
	}
}

func TestTheKeyQQuitsWhereThereAreQuestions(t *testing.T) {
	text := talk{client: serve(t).client, books: newAsker()}.say(t, "q", "questions")

	if strings.Contains(text, "ambiguous") || strings.Contains(text, "to answer") {
		t.Errorf("the session goes on:\n%s", text)
	}
}
