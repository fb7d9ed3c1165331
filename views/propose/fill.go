package propose

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

const maxLines = apiclient.MaxLineItems

// netTerms are the payment terms, in days, through which a key cycles.
var netTerms = [...]int{15, 30, 60}

// nextNet sets the due date to the first of netTerms that is later than the current due date. If
// none is later, it sets the shortest term.
func (f *form) nextNet(today civil.Date) {
	day, err := f.due.Day(today)
	for _, days := range netTerms {
		if to := today.AddDays(days); err != nil || day.Before(to) {
			f.due.Set(to.String())
			return
		}
	}
	f.due.Set(today.AddDays(netTerms[0]).String())
}

// focus gives the keyboard focus to the field under the cursor. Buttons do not take the focus.
func (s *Screen) focus() {
	if t := s.form.text(s.form.at); t != nil {
		t.Focus()
	}
}

// continueTyping focuses the field under the cursor. If the cursor is on a button, it sets
// keepTyping, so that the next field the cursor reaches gets the focus.
func (s *Screen) continueTyping() {
	s.focus()
	s.keepTyping = s.form.text(s.form.at) == nil
}

// updateDraft copies the form into the draft if the form has changed. It returns the command that
// saves the draft, immediately if saveNow is set, otherwise after a delay.
func (s *Screen) updateDraft(saveNow bool) tea.Cmd {
	var cmd tea.Cmd
	if s.form.differsFrom(s.saving.Draft) {
		cmd = s.draftChanged()
	}
	if saveNow {
		return tea.Batch(cmd, s.save())
	}
	return cmd
}

func (s *Screen) addLine() tea.Cmd {
	s.form.leave(s.today())
	if s.form.insert() {
		s.focus()
	}
	return s.updateDraft(true)
}

// addLineByButton adds a line item. If the last one is blank, it moves the cursor there instead, so
// that holding enter adds only one.
func (s *Screen) addLineByButton() tea.Cmd {
	f := s.form
	if last := len(f.lines) - 1; f.lines[last].blank() {
		f.at = atLines + cells*last
		s.focus()
		return nil
	}
	return s.addLine()
}

// askToRemove removes the current line item if it is blank. Otherwise it first asks for
// confirmation.
func (s *Screen) askToRemove() tea.Cmd {
	i, inside := s.form.lineAt()
	if inside && !s.form.lines[i].blank() {
		s.form.leave(s.today())
		s.question = removeLine
		return nil
	}
	return s.removeLine()
}

func (s *Screen) removeLine() tea.Cmd {
	s.form.remove()
	return s.updateDraft(true)
}

// review shows the proposal for a last check before it is sent. If a field is invalid, review moves
// the cursor there instead.
func (s *Screen) review() tea.Cmd {
	f := s.form
	f.leave(s.today())
	f.due.Normalize(s.today()) // "net 30" would mean another day tomorrow
	f.checked, s.problem, s.restored = true, "", ""
	clear(f.refused)
	r := f.parse(s.today())
	if at, found := f.firstProblem(&r); found {
		f.at = at
		s.focus()
	} else if r.general == "" {
		s.step, s.offset = reviewing, 0
		s.confirmation = confirmation{number: s.confirmation.number, lastAt: s.env.Now()}
	}
	return s.updateDraft(true)
}
