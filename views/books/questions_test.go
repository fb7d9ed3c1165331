package books

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

// questioning adds a question about financing and one about a payment of an invoice to the books.
func questioning(b *bank) {
	b.open = []ownbooks.OpenQuestion{
		{
			ID: "ask_1", Kind: "financing", Date: "2026-09-03",
			Text:      "25,000.00 USD from Ada Ventures on 2026-09-03: is it investors' or a lender's money?",
			Meanwhile: "It does not count in burn.",
			Choices: []ownbooks.Choice{
				{Answer: "yes", Text: "financing: it does not count in burn", Changes: "net burn is $41,500.00 a month"},
				{Answer: "no", Text: "earned: it counts in burn", Changes: "net burn is $33,166.67 a month"},
			},
		},
		{
			ID: "ask_2", Kind: "payment", Date: "2026-10-02",
			Text:      "1,200 JPY from Customer Inc on 2026-10-02: which invoice does it pay?",
			Meanwhile: "It pays none.",
			Choices: []ownbooks.Choice{
				{Answer: "INV-000007", Text: "INV-000007 of Customer Inc, 1,200 JPY due"},
				{Answer: "none", Text: "no invoice"},
			},
		},
	}
	b.contents.Questions = len(b.open)
}

func TestQuestionsAreAnsweredOneAfterTheOther(t *testing.T) {
	for name, test := range map[string]struct {
		keys    []string
		calls   string
		says    []string
		changes int
	}{
		"all": {[]string{"n", "down", "enter"},
			"questions, answer ask_1 no, questions, answer ask_2 INV-000007, questions, list",
			[]string{"✓ Answered INV-000007: noted. 1 transaction changed. 2 questions answered, none left."}, 1},
		"the second one later": {[]string{"1", "enter"}, "questions, answer ask_1 yes, questions, list",
			[]string{"✓ 1 question answered, 1 left.", "? 1 question to answer: a"}, 1},
		"the first one later": {[]string{"enter", "up", "enter"}, "questions, answer ask_2 none, questions, list",
			[]string{"1 question answered, 1 left."}, 1},
		"both later": {[]string{"enter", "enter"}, "questions", []string{"? 2 questions to answer: a"}, 0},
		"back after an answer": {[]string{"y", "esc", "esc"}, "questions, answer ask_1 yes, questions, list",
			[]string{"1 question answered, 1 left."}, 1},
		"changed at once": {[]string{"1", "esc", "n", "esc", "esc"},
			"questions, answer ask_1 yes, questions, answer ask_1 no, questions, list",
			[]string{"1 question answered, 1 left."}, 1},
		"left open and then answered": {[]string{"enter", "esc", "1", "enter"},
			"questions, answer ask_1 yes, questions, list", []string{"1 question answered, 1 left."}, 1},
		"back":           {[]string{"esc"}, "questions", []string{"? 2 questions to answer: a"}, 0},
		"back and again": {[]string{"esc", "a", "down", "esc"}, "questions, questions", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, questioning)
			d.current()

			d.press(append([]string{"a"}, test.keys...)...)

			if calls := d.current(); calls != test.calls || d.changes != test.changes || d.mode != browsing {
				t.Errorf("%d changes; the books were asked for %s", d.changes, calls)
			}
			d.shows(test.says...)
		})
	}
}

func TestAGivenAnswerIsShownChangedAndTakenBack(t *testing.T) {
	for name, test := range map[string]struct {
		given bool
		keys  []string
		calls string
		says  string
	}{
		"none":       {false, []string{"A"}, "answers", "No question was answered yet."},
		"shown":      {true, []string{"A"}, "answers", "Your answer: yes."},
		"changed":    {true, []string{"A", "2"}, "answers, answer ask_1 no, questions, list", "1 question answered"},
		"taken back": {true, []string{"A", "3"}, "answers, answer ask_1 open, questions, list", "Answered open"},
		"back":       {true, []string{"A", "esc"}, "answers", "? 2 questions to answer: a"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, func(b *bank) {
				questioning(b)
				if test.given {
					q := b.open[0]
					q.Given, q.Choices = "yes", append(q.Choices, ownbooks.Choice{Answer: "open", Text: "it is asked again"})
					b.given = []ownbooks.OpenQuestion{q}
				}
			})
			d.current()

			d.press(test.keys...)

			if calls := d.current(); calls != test.calls {
				t.Errorf("the books were asked for %s", calls)
			}
			d.shows(test.says)
		})
	}
}

func TestAQuestionSaysWhatTheBooksDoAndWhatAnAnswerChanges(t *testing.T) {
	for _, size := range [][2]int{{120, 37}, {80, 21}, {60, 15}} {
		d := open(t, questioning)
		d.SetSize(size[0], size[1])
		d.press("a")

		d.shows("Question 1 of 2", "25,000.00 USD from Ada Ventures on 2026-09-03: is it investors' or a lender's money?",
			"Until you answer: it does not count in burn.", "1 yes financing: it does not count in burn",
			"net burn is $41,500.00 a month", "2 no earned: it counts in burn", "net burn is $33,166.67 a month")
		d.press("down", "down")
		d.shows("> 2 no")
		d.press("enter")
		d.shows("✓ Answered no: noted. 1 transaction changed.", "Question 2 of 2", "1 INV-000007")
		d.hides(">")
	}
}

// Below the answers stand the transactions of that day and what is asked next, if there is room.
func TestAQuestionShowsTheTransactionsOfItsDayAndWhatFollows(t *testing.T) {
	day := civil.MustParse("2026-09-03")
	o := sample.New()
	o.Rows = append(o.Rows, apiclient.Transaction{
		ID: "txn_1", Date: day, Direction: apiclient.Inflow, CounterpartyName: "Ada Ventures", Memo: "convertible note",
		Amount: apiclient.NewAmount(25_000_00, "USD"), Reporting: apiclient.NewAmount(25_000_00, "USD"),
	})
	o.SortRows()
	d := openAs(t, views.Env{Snapshot: o.SnapshotWithHistory(t)}, questioning)
	d.SetSize(120, 37)

	d.press("a")
	d.shows("Transactions around 2026-09-03", "2026-09-03 +25,000.00 USD Ada Ventures convertible note", "Asked next",
		"1,200 JPY from Customer Inc on 2026-10-02: which invoice does it pay?")
	d.press("enter")
	d.hides("Asked next")

	d.press("esc", "esc", "a")
	d.SetSize(40, 9)
	d.hides("Asked next", "Transactions of")
}

// Enter alone answers nothing, so that a second enter does not answer the next question unread.
func TestEnterAnswersOnlyWithASelectedChoice(t *testing.T) {
	d := open(t, questioning)
	d.current()

	d.press("a", "enter")
	d.shows("Question 2 of 2")
	d.press("3", "y", "enter")

	if calls := d.current(); calls != "questions" {
		t.Errorf("the books were asked for %s", calls)
	}
	d.shows("2 questions to answer")
}

func TestKeysWaitWhileAnAnswerIsStored(t *testing.T) {
	for name, test := range map[string]struct {
		wait  func(context.Context)
		keys  []string
		want  string
		calls string
	}{
		"stored": {nil, []string{"enter", "1", "s", "n", "9", "q"}, "Question 2 of 2", "answer ask_1 no, questions"},
		"cancelled": {func(ctx context.Context) { <-ctx.Done() }, []string{"esc", "enter"},
			"Cancelled: the answer was not stored.", "answer ask_1 no"},
		"cancelled too late": {nil, []string{"esc"}, "Question 2 of 2", "answer ask_1 no, questions"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, questioning)
			d.press("a", "down", "down")
			d.bank.wait = test.wait
			d.current()
			cmd := d.Update(sample.Press("enter"))
			if test.wait == nil {
				msg := cmd()
				cmd = func() tea.Msg { return msg }
			}
			d.shows("Storing the answer… esc cancels")
			if d.State().Unfinished == "" || !d.State().Typing {
				t.Error("keys leave the question while its answer is stored")
			}

			for _, key := range test.keys {
				if d.Update(sample.Press(key)) != nil {
					t.Errorf("%s does something", key)
				}
			}

			d.run(cmd)
			d.shows(test.want)
			if calls := d.current(); calls != test.calls {
				t.Errorf("the books were asked for %s", calls)
			}
		})
	}
}

func TestAnErrorKeepsTheQuestion(t *testing.T) {
	d := open(t, questioning)
	d.bank.fail = errors.New("the books are in use by another program")
	d.press("a")
	d.shows("! The questions could not be read: the books are in use by another program")
	d.bank.fail = nil
	d.press("a")
	d.bank.fail = errors.New("the disk is full")

	d.press("2")

	d.shows("! Not answered: the disk is full", "Question 1 of 2", "> 2 no")
	d.bank.fail = nil
	d.press("enter")
	d.shows("Question 2 of 2")
	if d.changes != 0 {
		t.Error("the dashboard was told of a change before the last answer")
	}
}

func TestAnsweredQuestionsCountWhenTheOthersCannotBeRead(t *testing.T) {
	d := open(t, questioning)
	d.press("a")
	d.bank.wait = func(context.Context) { d.bank.failReading = errors.New("the disk is full") }

	d.press("1")

	d.shows("Answered yes: noted. 1 transaction changed. 1 question answered, 1 left.")
	if d.changes != 1 {
		t.Errorf("the dashboard was told of %d changes", d.changes)
	}
}

func TestQuestionsThatAreGoneAreNotAsked(t *testing.T) {
	d := open(t, questioning)
	d.bank.open, d.bank.contents.Questions = nil, 0

	d.press("a")

	d.shows("No question is open any more.")
	d.hides("to answer")
}

func TestAnImportSaysWhatItAsks(t *testing.T) {
	d := open(t, questioning, func(b *bank) { b.report.Questions = make([]ownbooks.OpenQuestion, 2) })
	d.named()

	d.press("y")

	d.shows("✓ Imported as imp_NEW.", "2 open questions: a answers them.")
	d.hides("to answer")
	d.press("a")
	d.shows("Question 1 of 2")
}

func TestAReadOnlySessionAnswersNothing(t *testing.T) {
	d := openAs(t, views.Env{ReadOnly: true}, questioning)
	d.current()

	d.press("a")

	d.shows("? 2 questions to answer")
	d.hides("answer: a")
	if calls := d.current(); calls != "" || len(d.notices) != 1 {
		t.Errorf("the books were asked for %s; notices are %q", calls, d.notices)
	}
}

func TestAmountsInQuestionsAreHidden(t *testing.T) {
	for width := 20; width <= 120; width++ {
		d := open(t, questioning)
		masked := theme.New(true)
		masked.Masked = true
		d.SetTheme(masked)
		d.SetSize(width, 40)

		d.press("a", "down")
		d.hides("25,000", "41,500", "33,166")
		d.press("enter")
		d.hides("1,200")
	}
}

func TestLongQuestionsScrollToTheSelectedChoice(t *testing.T) {
	d := open(t, questioning, func(b *bank) {
		q := &b.open[0]
		q.Choices = nil
		for n := range 12 {
			q.Choices = append(q.Choices, ownbooks.Choice{Answer: "INV-" + strings.Repeat("0", n), Text: "of Customer Inc"})
		}
	})
	d.SetSize(40, 9)
	d.press("a")
	d.shows("25,000.00 USD", "more below")

	d.press("up")

	d.shows("> INV-00000000000")
	d.press("up", "up", "up")
	d.shows("> 9 INV-00000000")
}
