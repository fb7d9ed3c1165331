package books

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// questionsLine returns the line with the number of open questions and the key that answers them,
// or nil.
func (s *Screen) questionsLine() []string {
	value, _ := s.contents.Value()
	if value.Questions == 0 || s.outcome.asks || !s.contents.State().HasFigures() {
		return nil
	}
	text := figures.Unanswered.Sign() + " " + ownbooks.ToAnswer(value.Questions)
	if s.hasQuestions() {
		text += ": a"
	}
	return styled(s.theme.Caution, text, s.width)
}

// drawOpenQuestion draws the current question, scrolled so that the selected choice is visible.
func (s *Screen) drawOpenQuestion() string {
	q := &s.questions
	total := len(q.past)
	for _, open := range q.open {
		if !q.later[open.ID] && (q.again == nil || open.ID != q.again.ID) {
			total++
		}
	}
	if q.again != nil {
		total++
	}
	frame := panel.Frame{
		Title: fmt.Sprintf("%s %d of %d", q.noun(), len(q.past)+1, total),
		Width: s.width, Height: s.height, Focused: true, Open: panel.IsOpen(s.height),
	}
	width, rows := s.inner(s.width, s.height)
	lines, at := s.openQuestionLines(width)
	lines = append(lines, s.belowQuestion(width, rows-len(lines))...)
	from := scrolled(len(lines), at, rows)
	if below := len(lines) - from - rows; below > 0 {
		frame.Note = strconv.Itoa(below) + " more below"
	}
	frame.Body = func(int, int) []string { return lines[from:] }
	return strings.Join(panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now()), "\n")
}

// noun returns the title of the question.
func (q *questions) noun() string {
	if q.revising {
		return "Answered question"
	}
	return "Question"
}

// openQuestionLines returns the lines of the question, and the index of the line that must be
// visible.
func (s *Screen) openQuestionLines(width int) (lines []string, at int) {
	q := &s.questions
	asked := q.current()
	if q.done != "" {
		lines = append(styled(s.theme.Good, "✓ "+masked.Text(s.theme, q.done), width), "")
	}
	lines = append(lines, styled(s.theme.Text, masked.Text(s.theme, asked.Text), width)...)
	status := asked.Status()
	if !q.revising {
		status = "Until you answer: " + lowerFirst(status)
	}
	lines = append(lines, styled(s.theme.Faint, masked.Text(s.theme, status), width)...)
	lines = append(lines, "")
	for n := range asked.Choices {
		lines = append(lines, s.choiceLines(n, width)...)
		if n == q.choice {
			at = len(lines) - 1
		}
	}
	if problem := alarm(s.theme, masked.Text(s.theme, q.problem), width); problem != nil {
		lines = append(append(lines, ""), problem...)
		at = len(lines) - 1
	}
	if s.mode == storingAnswer {
		lines = append(append(lines, ""), s.runLines("Storing the answer", width)...)
		at = len(lines) - 1
	}
	return lines, at
}

// leastMeaning is the minimum width, in cells, of a choice's meaning next to its answer.
const leastMeaning = 20

// meaningLines returns what a choice means and changes: each choice in one line, if all fit.
func (s *Screen) meaningLines(c ownbooks.Choice, width int) []string {
	const gap = "  "
	text, changes := masked.Text(s.theme, c.Text), masked.Text(s.theme, c.Changes)
	fits := !slices.ContainsFunc(s.questions.current().Choices, func(c ownbooks.Choice) bool {
		return termtext.Width(c.Text+gap+c.Changes) > width
	})
	switch {
	case changes == "":
		return styled(s.theme.Text, text, width)
	case fits:
		return []string{s.theme.Text.Render(text) + gap + s.theme.Faint.Render(changes)}
	}
	return append(styled(s.theme.Text, text, width), styled(s.theme.Faint, changes, width)...)
}

// choiceLines returns the lines of a choice: its key, its answer, its meaning, and the net burn
// with it.
func (s *Screen) choiceLines(n, width int) (lines []string) {
	choices := s.questions.current().Choices
	wide := 0
	for _, c := range choices {
		wide = max(wide, termtext.Width(c.Answer))
	}
	cursor, digit := "  ", " "
	if n == s.questions.choice {
		cursor = "> "
	}
	if n < mostDigits {
		digit = strconv.Itoa(n + 1)
	}
	name := cursor + digit + " "
	wide = max(1, min(wide, width-len(name)))
	name += fit(choices[n].Answer, wide)
	indent := termtext.Width(name) + 2
	beside := width-indent >= leastMeaning
	if !beside {
		indent = len(cursor) + 2
	}
	means := s.meaningLines(choices[n], max(1, width-indent))
	if n == s.questions.choice {
		name = s.theme.Selected.Render(name)
	}
	if beside {
		lines, means = append(lines, name+"  "+means[0]), means[1:]
	} else {
		lines = append(lines, name)
	}
	for _, line := range means {
		lines = append(lines, strings.Repeat(" ", indent)+line)
	}
	return lines
}
