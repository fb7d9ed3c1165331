package books

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/problem"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/field"
	"tarmac/views/parts/masked"
)

// ask opens the question of the previewed files, with the answer that was given before.
func (s *Screen) ask() {
	i := &s.intake
	s.mode, i.problem = answeringFile, ""
	i.options = i.question.Options()
	before := i.typed[i.questionKey()]
	i.choice = slices.IndexFunc(i.options, func(o ownbooks.Option) bool { return o.Answer == before })
	i.answer = field.NewText(i.question.Proposed, longestAnswer)
	if i.choice < 0 {
		i.answer.Set(before)
	}
	if i.choice < 0 && before == "" && (i.question.Proposed != "" || i.question.IsGeneral()) && len(i.options) > 0 {
		i.choice = 0
	}
	i.answer.Focus()
}

// isTyped reports whether the open question takes a typed text. Others take one of their choices.
func (i *intake) isTyped() bool {
	q := i.question
	return q.IsAccount() || q.Flag == "--currency" || q.IsOptional() || q.IsGeneral() || len(q.Choices) == 0
}

// questionKey identifies the open question.
func (i *intake) questionKey() questionKey {
	file := ""
	if i.question.File < len(i.batch.Files) {
		file = i.batch.Files[i.question.File]
	}
	return questionKey{file, i.question.Flag, i.question.Account}
}

// editAnswer passes a key press or a paste to the answer. A typed text replaces the chosen answer.
func (s *Screen) editAnswer(msg tea.Msg) {
	i := &s.intake
	if i.isTyped() && i.answer.Update(msg) {
		i.problem, i.choice = "", -1
		i.typed[i.questionKey()] = i.answer.Value()
	}
}

// questionDialog asks a question about the files. esc goes back to the question before it.
func (s *Screen) questionDialog() *dialog {
	choices := func() bool { return len(s.intake.options) > 0 }
	keys := views.Actions{
		{Key: "enter", Help: "go on", Do: s.answer},
		{Key: "esc", Help: "back", Do: views.Do(s.backInIntake)},
		{Key: "down", Also: []string{"tab"}, Shown: "↓", Help: "next answer", When: choices,
			Do: views.Do(func() { s.intake.choose(1) })},
		{Key: "up", Also: []string{"shift+tab"}, Shown: "↑", Help: "previous answer", When: choices,
			Do: views.Do(func() { s.intake.choose(-1) })},
	}
	for n := range mostDigits {
		keys = append(keys, views.Action{
			Key: strconv.Itoa(n + 1), Help: "answer", Shown: "1-9", Hidden: n > 0,
			When: func() bool { return !s.intake.isTyped() && n < len(s.intake.options) },
			Do: func() tea.Cmd {
				s.intake.choice = n
				return s.answer()
			},
		})
	}
	return &dialog{
		help: "Question", back: s.backInIntake, edit: s.editAnswer, keys: keys,
		draw: func() string {
			return s.framed(s.intake.questionTitle(), func(width, _ int) ([]string, int) {
				return s.questionLines(width)
			})
		},
	}
}

// choose selects the next or the previous choice.
func (i *intake) choose(by int) {
	n := len(i.options)
	if i.choice < 0 && by < 0 {
		i.choice = 0
	}
	i.choice, i.problem = (i.choice+by+n)%n, ""
	i.answer.Set("")
	i.typed[i.questionKey()] = i.options[i.choice].Answer
}

// backInIntake opens the question before the current one, or the files. The answers stay and are
// offered again.
func (s *Screen) backInIntake() {
	i := &s.intake
	s.stop()
	if len(i.batch.Answers) == 0 {
		s.backToNames()
		return
	}
	last := i.batch.Answers[len(i.batch.Answers)-1]
	i.batch.Answers = i.batch.Answers[:len(i.batch.Answers)-1]
	i.question = &last.Question
	i.typed[i.questionKey()] = last.Text
	s.ask()
}

// answer checks the answer and returns the command that previews the files with it.
func (s *Screen) answer() tea.Cmd {
	i := &s.intake
	text := strings.TrimSpace(i.answer.Value())
	switch {
	case text != "":
	case i.choice >= 0:
		text = i.options[i.choice].Answer
	default:
		text = i.question.Proposed
	}
	if text == "" && !i.question.IsOptional() {
		i.problem = "Type an answer, or esc to go back."
		if !i.isTyped() {
			i.problem = "Choose an answer with its number, or esc to go back."
		}
		return nil
	}
	if err := s.books.CheckAnswer(*i.question, text); err != nil && text != "" {
		i.problem = errorText(err)
		return nil
	}
	i.typed[i.questionKey()] = text
	i.batch.Answers = append(i.batch.Answers, ownbooks.Answer{Question: *i.question, Text: text})
	return s.preview()
}

// questionTitle returns what the open question asks for.
func (i *intake) questionTitle() string {
	switch {
	case i.question.Flag == ownbooks.NameFlag:
		return "Your company"
	case i.question.IsAccount():
		return "Which account is this?"
	}
	return upperFirst(strings.ReplaceAll(i.question.Subject(), "-", " "))
}

// questionLines returns the lines of the open question and the index of the line with the cursor.
func (s *Screen) questionLines(width int) (lines []string, at int) {
	i, t := &s.intake, s.theme
	q := i.question
	if q.Flag != ownbooks.NameFlag {
		lines = append(lines, t.Strong.Render(fit(baseName(q.Name), min(width, termtext.Width(baseName(q.Name))))))
	}
	lines = append(lines, styled(t.Text, problem.Sentence(upperFirst(q.Reason)), width)...)
	for _, sample := range q.Samples {
		lines = append(lines, t.Faint.Render("  "+termtext.Fit(masked.Text(t, sample), max(1, width-2))))
	}
	lines = append(lines, "")
	at = len(lines)
	if i.isTyped() {
		label := upperFirst(strings.ReplaceAll(q.Subject(), "-", " ")) + "  "
		lines = append(lines, t.Faint.Render(label)+i.answer.Draw(t, max(1, width-len(label))))
	}
	lines = append(lines, alarm(t, i.problem, width)...)
	if q.IsOptional() {
		return append(lines, styled(t.Faint, q.Prompt()+", or nothing if you do not know it.", width)...), at
	}
	for n := range i.options {
		if n == i.choice {
			at = len(lines)
		}
		lines = append(lines, i.optionLine(t, n, width))
	}
	if q.IsAccount() {
		lines = append(lines, styled(t.Faint, "Typing a name makes a new account.", width)...)
	}
	return lines, at
}

// optionLine draws a choice of the open question: its key, its name and what it means.
func (i *intake) optionLine(t theme.Theme, n, width int) string {
	wide := 0
	for _, option := range i.options {
		wide = max(wide, termtext.Width(option.Label))
	}
	name := "  "
	if n == i.choice {
		name = "> "
	}
	if !i.isTyped() && n < mostDigits {
		name += strconv.Itoa(n+1) + " "
	}
	wide = max(1, min(wide, width-len(name)))
	name += fit(i.options[n].Label, wide)
	means := i.options[n].Means
	if n == i.choice {
		name = t.Selected.Render(name)
	}
	if room := width - wide - 6; means != "" && room > 0 {
		name += "  " + t.Faint.Render(strings.TrimRight(termtext.Fit(means, room), " "))
	}
	return name
}
