package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// actions are the keys of the page, by their titles in the help.
type actions struct{ page, plan, sentences views.Actions }

func (s *Screen) newActions() actions {
	return actions{s.pageActions(), s.planActions(), s.sentenceActions()}
}

func (s *Screen) pageActions() views.Actions {
	enter := views.Open(func() bool {
		return s.answers.IsFocused() || s.activeList() != nil && !s.readsBasis() && s.canOpen()
	}, s.openSelected)
	enter.Says = s.openHelp
	step := func(key string, by int) views.Action {
		other := func() bool {
			_, ok := s.neighbor(by)
			return ok && len(s.arranged.lists) > 0
		}
		says := func() string {
			at, _ := s.neighbor(by)
			return sectionName(at)
		}
		return views.Action{Key: key, Help: "next list", Says: says, When: other, Do: views.Do(func() {
			at, _ := s.neighbor(by)
			s.show(at)
		})}
	}
	return views.Actions{
		views.Back(func() bool { return s.open.level != closed || s.openRows != nil }, s.Back),
		enter,
		step("]", 1),
		step("[", -1),
		{Key: "i", Help: "basis and tests", When: func() bool {
			return s.data.Cash.State().HasFigures() && !s.readsBasis() && len(s.arranged.lists) > 0
		}, Do: views.Do(s.showBasis)},
	}
}

func (s *Screen) sentenceActions() views.Actions {
	some := func() bool { return len(s.answered()) > 0 }
	return views.Actions{
		{Key: "tab", Help: "sentences", When: func() bool { return some() && !s.hasSeveral() },
			Do: views.Do(func() { s.focusSentence(1) })},
		{Key: "shift+tab", Help: "sentences", When: some, Do: views.Do(func() { s.focusSentence(-1) })},
	}
}

// showBasis shows what the figures of the page are based on.
func (s *Screen) showBasis() {
	s.answers.Unfocus()
	s.section, s.open = weekList, open{level: basisText}
	s.syncView()
}

// focusSentence focuses the next sentence, or the one before for -1.
func (s *Screen) focusSentence(by int) {
	s.answers.Focus(by)
	s.syncView()
}

// readsBasis reports whether the keys scroll the text about the forecast.
func (s *Screen) readsBasis() bool { return s.section == weekList && s.open.level == basisText }

// Help returns the keys of the open question or form, or else those of the page.
func (s *Screen) Help() []views.HelpGroup {
	if keys, open := s.layers.Help(); open {
		return keys
	}
	return append(
		s.reading.Help(), s.actions.page.Help("Runway"), s.actions.plan.Help("Plan"),
		s.actions.sentences.Help("Sentences"),
		s.nav.Help("List", s.activeList() != nil || s.readsBasis()),
	)
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := s.layers.Press(msg); taken {
		s.syncView()
		return cmd
	}
	if cmd, taken := s.reading.Answer(msg); taken {
		s.syncView()
		return cmd
	}
	for _, actions := range []views.Actions{s.actions.page, s.actions.plan, s.actions.sentences} {
		if cmd, taken := actions.Press(msg); taken {
			return cmd
		}
	}
	s.move(msg)
	return nil
}

// move moves the cursor of the list, or scrolls the text about the forecast.
func (s *Screen) move(press tea.KeyPressMsg) {
	if s.readsBasis() {
		if lines, ok := s.nav.LineMove(press, max(1, s.height/2)); ok {
			s.open.offset = max(0, min(s.open.offset+lines, s.basisHidden()))
			s.cache.Invalidate()
		}
		return
	}
	if l := s.activeList(); l != nil && l.Update(press, s.nav) {
		s.answers.Unfocus()
		l.cursor = l.Cursor()
		s.cache.Invalidate()
	}
}

// canOpen reports whether the row under the cursor leads somewhere.
func (s *Screen) canOpen() bool {
	switch {
	case s.section == againstList:
		return s.canOpenCompared()
	case s.section == planList:
		return s.file.problem == "" && s.file.unsaved == ""
	case s.section == monthList || s.open.level == closed:
		return true
	}
	at := s.open.list.cursor
	return s.open.level == weekItems && (len(s.open.items[at].rows) > 0 || s.open.items[at].invoice != "")
}

// openHelp says what the key that opens a row shows.
func (s *Screen) openHelp() string {
	switch {
	case s.answers.IsFocused():
		return "rows"
	case s.section == monthList, s.section == againstList:
		return "transactions"
	case s.section == planList:
		return "change line"
	case s.open.level == closed:
		return "made of"
	case s.open.level == weekItems && s.activeList() != nil && s.open.items[s.open.list.cursor].invoice != "":
		return "invoice"
	}
	return "transactions"
}
