package books

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/problem"
	"tarmac/internal/ownbooks"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/field"
)

// ask opens the question of the previewed file, with the answer that was typed before.
func (s *Screen) ask() {
	i := &s.intake
	s.mode, i.problem = answeringFile, ""
	i.answer = field.NewText(i.question.Proposed, longestAnswer)
	i.answer.Set(i.typed[i.questionKey()])
	i.answer.Focus()
	i.choice = slices.Index(i.question.Choices, i.answer.Value())
	if i.question.Flag == ownbooks.CurrencyFlag && i.choice < 0 {
		i.choose(1) // the currency of most lines
	}
}

// questionKey identifies the open question.
func (i *intake) questionKey() questionKey {
	return questionKey{i.batch.Files[i.question.File], i.question.Flag, i.question.Account}
}

// editAnswer passes a key press or a paste to the answer.
func (s *Screen) editAnswer(msg tea.Msg) {
	i := &s.intake
	if i.answer.Update(msg) {
		i.problem = ""
		i.typed[i.questionKey()] = i.answer.Value()
		i.choice = slices.Index(i.question.Choices, i.answer.Value())
	}
}

// questionDialog asks the question of a file.
func (s *Screen) questionDialog() *dialog {
	choices := func() bool { return len(s.intake.question.Choices) > 0 }
	return &dialog{
		help: "Question", back: s.backToNames, edit: s.editAnswer,
		keys: views.Actions{
			{Key: "enter", Help: "answer", Do: s.answer},
			{Key: "esc", Help: "back to the files", Do: views.Do(s.backToNames)},
			{Key: "down", Also: []string{"tab"}, Shown: "↓", Help: "next answer", When: choices,
				Do: views.Do(func() { s.intake.choose(1) })},
			{Key: "up", Also: []string{"shift+tab"}, Shown: "↑", Help: "previous answer", When: choices,
				Do: views.Do(func() { s.intake.choose(-1) })},
		},
		draw: func() string {
			return s.framed("Import files: a question", func(width, _ int) ([]string, int) {
				return s.intake.questionLines(s.theme, width)
			})
		},
	}
}

// choose puts the next or the previous choice into the answer.
func (i *intake) choose(by int) {
	n := len(i.question.Choices)
	if n == 0 {
		return
	}
	if i.choice < 0 && by < 0 {
		i.choice = 0
	}
	i.choice = (i.choice + by + n) % n
	i.answer.Set(i.question.Choices[i.choice])
	i.typed[i.questionKey()] = i.answer.Value()
	i.problem = ""
}

// answer checks the answer and returns the command that previews the files with it.
func (s *Screen) answer() tea.Cmd {
	i := &s.intake
	text := cmp.Or(strings.TrimSpace(i.answer.Value()), i.question.Proposed)
	if text == "" && !i.question.IsOptional() {
		i.problem = "Type an answer, or esc to go back."
		return nil
	}
	if err := s.books.CheckAnswer(*i.question, text); err != nil && text != "" {
		i.problem = errorText(err)
		return nil
	}
	i.batch.Answers = append(i.batch.Answers, ownbooks.Answer{Question: *i.question, Text: text})
	return s.preview()
}

// questionLines returns the lines of the open question and the index of the line with the cursor.
func (i *intake) questionLines(t theme.Theme, width int) (lines []string, at int) {
	q := i.question
	lines = append(lines, styled(t.Strong, baseName(q.Name), width)...)
	lines = append(lines, styled(t.Text, problem.Sentence(q.Reason), width)...)
	lines = append(lines, "")
	label := upperFirst(strings.ReplaceAll(q.Subject(), "-", " ")) + "  "
	at = len(lines)
	lines = append(lines, t.Faint.Render(label)+i.answer.Draw(t, max(1, width-len(label))))
	lines = append(lines, alarm(t, i.problem, width)...)
	switch {
	case q.IsOptional():
		lines = append(lines, "")
		return append(lines, styled(t.Faint, q.Prompt()+", or nothing if you do not know it.", width)...), at
	case len(q.Choices) == 0:
		if i.problem == "" {
			lines = append(lines, "", t.Faint.Render("Press enter to go on."))
		}
		return lines, at
	}
	lines = append(lines, "")
	wide := 0
	for _, choice := range q.Choices {
		wide = max(wide, len([]rune(choice)))
	}
	for n, choice := range q.Choices {
		cursor := "  "
		if n == i.choice {
			cursor = "> "
			at = max(at, len(lines))
		}
		name := cursor + fit(choice, wide)
		if n == i.choice {
			name = t.Selected.Render(name)
		}
		if means := ownbooks.ChoiceMeans(choice); means != "" {
			name += "  " + t.Faint.Render(means)
		}
		lines = append(lines, name)
	}
	return lines, at
}
