package books

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/ownbooks"
	"tarmac/views"
)

// questions holds the open questions about the lines while the user answers them.
type questions struct {
	open     []ownbooks.OpenQuestion
	past     []ownbooks.OpenQuestion // asked before the current one, with the answers that were given
	again    *ownbooks.OpenQuestion  // one of past that is asked again; nil if none is
	revising bool                    // the questions are answered, and the user may change the answers
	later    map[string]bool         // ids of questions that the user has put off
	choice   int                     // index of the selected choice, or -1
	answered int
	done     string // effect of the latest answer; "" before the first
	problem  string // why the answer was not stored
	around   around // transactions around the day of the current question
}

// at returns the index in open of the next question, or -1 if the user has put off all of them.
func (q *questions) at() int {
	for n := range q.open {
		if !q.later[q.open[n].ID] {
			return n
		}
	}
	return -1
}

// current returns the current question.
func (q *questions) current() *ownbooks.OpenQuestion {
	if q.again != nil {
		return q.again
	}
	return &q.open[q.at()]
}

// asks reports whether there is a current question.
func (q *questions) asks() bool { return q.again != nil || q.at() >= 0 }

// questionsMsg is the result of reading the open questions.
type questionsMsg struct {
	number uint64
	open   []ownbooks.OpenQuestion
	err    error
}

// hasQuestions reports whether there are questions that the user may answer.
func (s *Screen) hasQuestions() bool {
	value, _ := s.contents.Value()
	return s.known() && (value.Questions > 0 || s.outcome.asks)
}

// readQuestions returns the command that reads the open questions.
func (s *Screen) readQuestions() tea.Cmd {
	s.mode, s.outcome, s.questions = readingQuestions, outcome{}, questions{later: map[string]bool{}}
	ctx, number := s.start(nil)
	books := s.books
	return func() tea.Msg {
		open, err := books.Questions(ctx)
		return questionsMsg{number, open, err}
	}
}

// readAnswers returns the command that reads the answered questions.
func (s *Screen) readAnswers() tea.Cmd {
	s.mode, s.outcome, s.questions = readingQuestions, outcome{}, questions{later: map[string]bool{}, revising: true}
	ctx, number := s.start(nil)
	books := s.books
	return func() tea.Msg {
		answered, err := books.GivenAnswers(ctx)
		return questionsMsg{number, answered, err}
	}
}

// storeQuestions asks the first question.
func (s *Screen) storeQuestions(msg questionsMsg) tea.Cmd {
	if !s.ended(msg.number) {
		return nil
	}
	if msg.err != nil {
		s.mode = browsing
		s.outcome = outcome{text: "The questions could not be read: " + errorText(msg.err), problem: true}
		return s.noticeIfHidden("the questions could not be read; see the Books page")
	}
	if len(msg.open) == 0 && s.questions.revising {
		s.mode, s.outcome = browsing, outcome{text: "No question was answered yet."}
		return nil
	}
	if len(msg.open) == 0 {
		s.mode, s.outcome = browsing, outcome{text: "No question is open any more."}
		return s.afterQuestions(s.fetch())
	}
	s.questions.open = msg.open
	return s.askNext()
}

// askNext asks the first question that the user hasn't put off. After the last one, it closes the
// dialog.
func (s *Screen) askNext() tea.Cmd {
	q := &s.questions
	q.choice, q.problem, q.again = -1, "", nil
	if q.at() < 0 {
		return s.closeQuestions()
	}
	s.mode, q.around = choosingAnswer, s.transactionsAround(q.current().Date)
	return nil
}

// askLater leaves the current question open and asks the next one.
func (s *Screen) askLater() tea.Cmd {
	q := &s.questions
	q.past = append(q.past, *q.current())
	q.later[q.current().ID], q.done = true, ""
	return s.askNext()
}

// askBefore asks the question before the current one again, or closes the dialog. The answers that
// were given stay until the user changes them.
func (s *Screen) askBefore() tea.Cmd {
	q := &s.questions
	if len(q.past) == 0 {
		return s.closeQuestions()
	}
	before := q.past[len(q.past)-1]
	q.past = q.past[:len(q.past)-1]
	delete(q.later, before.ID)
	q.again, q.done, q.problem, q.choice = &before, "", "", -1
	for n := range before.Choices {
		if before.Choices[n].Answer == before.Given {
			q.choice = n
		}
	}
	q.around = s.transactionsAround(before.Date)
	return nil
}

// choiceOf returns the index of the choice that the person typed, or -1.
func (q *questions) choiceOf(answer string) int {
	if !q.asks() {
		return -1
	}
	return slices.IndexFunc(q.current().Choices, func(c ownbooks.Choice) bool { return c.Answer == answer })
}

// answerWith stores the choice with an index as the answer.
func (s *Screen) answerWith(choice int) tea.Cmd {
	s.questions.choice, s.questions.problem = choice, ""
	return s.storeAnswer()
}

// closeQuestions returns to the lists. If questions were answered, it shows how many, and returns
// the command that makes all pages fetch their figures again.
func (s *Screen) closeQuestions() tea.Cmd {
	q := &s.questions
	s.mode = browsing
	if q.answered == 0 {
		return s.afterQuestions(nil)
	}
	return s.finishQuestions(len(q.open))
}

// finishQuestions shows what was answered and how many questions are left. It returns the command
// that makes all pages fetch their figures again.
func (s *Screen) finishQuestions(left int) tea.Cmd {
	q := &s.questions
	s.mode = browsing
	s.outcome = outcome{text: strings.TrimSpace(q.done + " " + ownbooks.LeftText(q.answered, left))}
	return s.afterQuestions(changed)
}

// afterQuestions returns the command, and ends the first import if the questions belong to it.
func (s *Screen) afterQuestions(cmd tea.Cmd) tea.Cmd {
	if !s.finishing {
		return cmd
	}
	return tea.Batch(cmd, s.finish())
}

// choose selects the next or the previous choice.
func (q *questions) choose(by int) {
	n := len(q.current().Choices)
	if n == 0 {
		return
	}
	if q.choice < 0 && by < 0 {
		q.choice = 0
	}
	q.choice, q.problem = (q.choice+by+n)%n, ""
}

// mostDigits is the largest number of choices that have keys of their own.
const mostDigits = 9

// openQuestionDialog asks one question after the other. Its digits are choices, so that they open
// no page.
func (s *Screen) openQuestionDialog() *dialog {
	has := func(n int) func() bool {
		return func() bool { return s.questions.asks() && n < len(s.questions.current().Choices) }
	}
	says := func(answer string) views.Action {
		return views.Action{
			Key: answer[:1], Help: answer, When: func() bool { return s.questions.choiceOf(answer) >= 0 },
			Do: func() tea.Cmd { return s.answerWith(s.questions.choiceOf(answer)) },
		}
	}
	keys := views.Actions{
		says("yes"), says("no"),
		{Key: "enter", Do: s.goOn, Says: func() string {
			if s.questions.choice >= 0 {
				return "answer"
			}
			return "leave it open"
		}},
		{Key: "esc", Help: "back", Do: s.askBefore},
		{Key: "down", Also: []string{"j", "tab"}, Shown: "↓", Help: "next answer", When: has(0),
			Do: views.Do(func() { s.questions.choose(1) })},
		{Key: "up", Also: []string{"k", "shift+tab"}, Shown: "↑", Help: "previous answer", When: has(0),
			Do: views.Do(func() { s.questions.choose(-1) })},
	}
	for n := range mostDigits {
		keys = append(keys, views.Action{
			Key: strconv.Itoa(n + 1), Help: "answer", Shown: "1-9", Hidden: n > 0, When: has(n),
			Do: func() tea.Cmd { return s.answerWith(n) },
		})
	}
	return &dialog{
		help: "Question", typing: true, keys: keys, back: func() { s.askBefore() }, draw: s.drawOpenQuestion,
	}
}

// answeredMsg is the result of storing an answer: its effect, and the questions still open.
type answeredMsg struct {
	number uint64
	done   ownbooks.Answered
	open   []ownbooks.OpenQuestion
	err    error // why the answer was not stored
	unread error // why the open questions could not be read
}

// goOn stores the selected answer. Without one, the question stays open: enter alone never answers.
func (s *Screen) goOn() tea.Cmd {
	if s.questions.choice < 0 {
		return s.askLater()
	}
	return s.storeAnswer()
}

// storeAnswer returns the command that stores the selected answer and reads the open questions
// again, because an answer may decide or change other questions.
func (s *Screen) storeAnswer() tea.Cmd {
	q := &s.questions
	s.mode, q.problem = storingAnswer, ""
	ctx, number := s.start(nil)
	books, id, answer := s.books, q.current().ID, q.current().Choices[q.choice].Answer
	return func() tea.Msg {
		done, err := books.Answer(ctx, id, answer)
		if err != nil {
			return answeredMsg{number: number, err: err}
		}
		open, unread := books.Questions(ctx)
		return answeredMsg{number: number, done: done, open: open, unread: unread}
	}
}

// storingDialog shows the question whose answer is being stored. Only cancelling has a key.
func (s *Screen) storingDialog() *dialog {
	return &dialog{
		help: "Running", typing: true, back: s.cancelChange, draw: s.drawOpenQuestion,
		leaving: "an answer is being stored; leaving cancels that",
		keys: views.Actions{{Key: "esc", Help: "cancel", When: func() bool { return !s.run.cancelled },
			Do: views.Do(s.cancelChange)}},
	}
}

// finishAnswer asks the next question, or shows why the answer was not stored.
func (s *Screen) finishAnswer(msg answeredMsg) tea.Cmd {
	cancelled := s.run.cancelled
	if !s.ended(msg.number) {
		return nil
	}
	q := &s.questions
	if msg.err != nil {
		s.mode, q.problem = choosingAnswer, "Not answered: "+errorText(msg.err)
		if cancelled {
			q.problem = "Cancelled: the answer was not stored."
		}
		return s.noticeIfHidden("an answer was not stored; see the Books page")
	}
	before := *q.current()
	if before.Given == "" || q.revising {
		q.answered++
	}
	before.Given = before.Choices[q.choice].Answer
	q.past = append(q.past, before)
	q.done, q.open = strings.Join(msg.done.Sentences(), " "), msg.open
	if msg.unread != nil || q.revising {
		return s.finishQuestions(msg.done.Open)
	}
	return s.askNext()
}
