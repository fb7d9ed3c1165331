package runway

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// actions are the keys of the page in the groups of the help.
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
			s.goTo(at)
		})}
	}
	return views.Actions{
		views.Back(func() bool { return s.open.level != closed || s.openRows != nil }, body{s}.Back),
		enter,
		step("]", 1),
		step("[", -1),
		{Key: "i", Help: "basis and tests", When: func() bool {
			return s.hasCash() && !s.readsBasis() && len(s.arranged.lists) > 0
		}, Do: views.Do(s.showBasis)},
	}
}

func (s *Screen) sentenceActions() views.Actions {
	some := func() bool { return len(s.sentenceLines()) > 0 }
	return views.Actions{
		{Key: "tab", Help: "sentences", When: func() bool { return some() && !s.hasCases() },
			Do: views.Do(func() { s.focusSentence(1) })},
		{Key: "shift+tab", Help: "sentences", When: some, Do: views.Do(func() { s.focusSentence(-1) })},
	}
}

// showBasis shows the basis of the page's figures.
func (s *Screen) showBasis() {
	s.answers.Unfocus()
	s.goTo(weekList)
	s.open = open{level: basisText}
}

func (s *Screen) hasCash() bool { return s.Snapshot.Cash.State().HasFigures() }

// focusSentence focuses the next sentence, or the previous one if by is -1.
func (s *Screen) focusSentence(by int) {
	s.answers.Focus(by)
}

// readsBasis reports whether the keys scroll the text about the forecast.
func (s *Screen) readsBasis() bool { return s.section == weekList && s.open.level == basisText }

// help returns the keys of the page.
func (s *Screen) help() []views.HelpGroup {
	return append(
		s.reading.Help(), s.actions.page.Help("Runway"), s.actions.plan.Help("Plan"),
		s.actions.sentences.Help("Sentences"), body{s}.Help()[0],
	)
}

// Help returns the keys that move the cursor.
func (b body) Help() []views.HelpGroup {
	return []views.HelpGroup{b.screen.Nav.Help("List", b.screen.activeList() != nil || b.screen.readsBasis())}
}

// Move moves the cursor of the list, or scrolls the text about the forecast.
func (b body) Move(press tea.KeyPressMsg) bool {
	s := b.screen
	s.moved = true
	if s.readsBasis() {
		if lines, ok := s.Nav.LineMove(press, max(1, s.Height/2)); ok {
			s.open.offset = max(0, min(s.open.offset+lines, s.basisHidden()))
		}
		return false
	}
	if l := s.activeList(); l != nil && l.Update(press, s.Nav) {
		s.answers.Unfocus()
		l.cursor = l.Cursor()
	}
	return false
}

// canOpen reports whether the row under the cursor can be opened.
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

// openHelp returns what the key that opens a row shows.
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
