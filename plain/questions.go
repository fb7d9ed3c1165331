package plain

import (
	"context"
	"strings"

	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
)

// listQuestions prints the open questions about own books, or those that the user has answered. The
// command answer takes their numbers until questions are listed again, so that an answer changes no
// number.
func (s *session) listQuestions(which string) error {
	read, heading, none := s.server.Books.Questions, ownbooks.ToAnswer, "No open questions."
	switch which {
	case "":
	case "answered":
		read, none = s.server.Books.GivenAnswers, "No question was answered yet."
		heading = func(n int) string { return plural.Count(n, "question") + " answered" }
	default:
		return s.answer("Type questions, or questions answered.")
	}
	questions, err := runBooks(s, "Reading the questions…", read)
	if err != nil {
		return s.answer("The questions could not be read: %s", errorSentence(err))
	}
	s.questions = questions
	if len(questions) == 0 {
		return s.answer("%s", none)
	}
	s.say("%s:", heading(len(questions)))
	for n := range questions {
		q := &questions[n]
		s.say("  %d: %s %s", n+1, q.Text, q.Status())
		for _, c := range q.Choices {
			s.say("     %s.", c.Line())
		}
	}
	if s.server.ReadOnly {
		return nil
	}
	choices, example := questions[0].Choices, 0
	if which != "" {
		example = len(choices) - 1 // it takes the answer back
	}
	return s.answer("Type answer with a number and an answer, such as answer 1 %s.", choices[example].Answer)
}

// answerQuestion stores the answer to a question that listQuestions has printed. A later answer
// replaces an earlier one.
func (s *session) answerQuestion(args string) error {
	if s.questions == nil {
		return s.answer("Type questions first: it lists them with their numbers.")
	}
	number, typed, _ := strings.Cut(args, " ")
	n, ok := s.pick(number, len(s.questions))
	if !ok {
		return nil
	}
	q := &s.questions[n]
	answer, ok := q.Chosen(strings.TrimSpace(typed))
	if !ok {
		return s.answer("Question %d takes one of these answers: %s.", n+1, q.Answers(", "))
	}
	done, err := runBooks(s, "Storing the answer. Ctrl+C cancels.", func(ctx context.Context) (ownbooks.Answered, error) {
		return s.server.Books.Answer(ctx, q.ID, answer)
	})
	if err != nil {
		return s.answer("Not answered: %s", errorSentence(err))
	}
	s.say("%s", strings.Join(done.Sentences(), " "))
	if done.Open == 0 {
		return s.answer("No open questions.")
	}
	return s.answer("%s.", ownbooks.ToAnswer(done.Open))
}
