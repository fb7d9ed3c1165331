package propose

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

const maxLines = apiclient.MaxLineItems

// netTerms are the days that payment is commonly due in.
var netTerms = [...]int{15, 30, 60}

// next and previous are the places that a key leads to from a field that is typed
// in: arrows go by the lines of the screen, tab and enter by the fields.
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

// nextNet sets the due date to the next of the common terms after what it says.
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

// focus puts the cursor into the field of its place, if it is one.
func (s *Screen) focus() {
	if t := s.form.text(s.form.at); t != nil {
		t.Focus()
	}
}

// follow is focus for who goes from field to field: on a button it is remembered that
// the next field is to be typed in.
func (s *Screen) follow() {
	s.focus()
	s.through = s.form.text(s.form.at) == nil
}

// noted keeps what has changed; at a field's end it is saved at once.
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

// lineByButton adds a line, or leads to the last one while nothing is in it: an enter
// that is held down adds one, not a hundred.
func (s *Screen) lineByButton() tea.Cmd {
	f := s.form
	if last := len(f.lines) - 1; f.lines[last].blank() {
		f.at = atLines + cells*last
		s.focus()
		return nil
	}
	return s.addLine()
}

// askToRemove removes a line in which nothing was typed, and asks about any other.
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

// review shows what would be sent, or the first field that keeps it from being sent.
func (s *Screen) review() tea.Cmd {
	f := s.form
	f.leave(s.today())
	f.due.Settle(s.today()) // what is reviewed today may be sent tomorrow
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
