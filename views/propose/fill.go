package propose

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

const maxLines = apiclient.MaxLineItems

// netTerms are the common payment terms in days.
var netTerms = [...]int{15, 30, 60}

// next and previous return the position that a key moves to from a focused field. Arrow keys move
// by screen lines, tab and enter by fields.
func (f *form) next(press tea.KeyPressMsg) int {
	if press.Code == tea.KeyDown {
		return f.below()
	}
	return f.at + 1
}

func (f *form) previous(press tea.KeyPressMsg) int {
	if press.Code == tea.KeyUp {
		return f.above()
	}
	return f.at - 1
}

// nextNet sets the due date to the next common payment term after its current value.
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

// focus gives the input focus to the field under the cursor, if there is one.
func (s *Screen) focus() {
	if t := s.form.text(s.form.at); t != nil {
		t.Focus()
	}
}

// follow focuses the field under the cursor. On a button it sets through, so that the next field is
// focused as well.
func (s *Screen) follow() {
	s.focus()
	s.through = s.form.text(s.form.at) == nil
}

// noted stores a changed form in the draft, and saves the draft immediately if atOnce is set.
func (s *Screen) noted(atOnce bool) tea.Cmd {
	var cmd tea.Cmd
	if s.form.stale(s.keeping.draft) {
		cmd = s.changed()
	}
	if atOnce {
		return tea.Batch(cmd, s.save())
	}
	return cmd
}

func (s *Screen) addLine() tea.Cmd {
	s.form.leave(s.today())
	if s.form.insert() {
		s.focus()
	}
	return s.noted(true)
}

// lineByButton adds a line, or moves to the last line while that is blank. A held enter key thus
// adds only one line.
func (s *Screen) lineByButton() tea.Cmd {
	f := s.form
	if last := len(f.lines) - 1; f.lines[last].blank() {
		f.at = atLines + cells*last
		s.focus()
		return nil
	}
	return s.addLine()
}

// askToRemove removes a blank line immediately, and asks before it removes any other.
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
	return s.noted(true)
}

// review shows the proposal to send, or moves to the first invalid field.
func (s *Screen) review() tea.Cmd {
	f := s.form
	f.leave(s.today())
	f.due.Settle(s.today()) // write out a relative date, which would mean another day tomorrow
	f.checked, s.problem, s.restored = true, "", ""
	clear(f.refused)
	r := f.read(s.today())
	if at, found := f.firstProblem(&r); found {
		f.at = at
		s.focus()
	} else if r.general == "" {
		s.stage, s.offset = reviewing, 0
		s.trigger = trigger{shot: s.trigger.shot, last: s.env.Now()}
	}
	return s.noted(true)
}
