package runway

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/scenario"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation                                    // these move in the lists
	Create, Change, Remove, Other, Copy                 key.Binding
	Section, PreviousSection, Basis                     key.Binding
	Next, Previous, Advance, Toggle, Done, Leave, Erase key.Binding // keys of the form
}

func newKeyMap() keyMap {
	bind := func(shown, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
	}
	return keyMap{
		Navigation: views.NewNavigation(),
		Create:     bind("n", "new scenario", "n"),
		Change:     bind("c", "change scenario", "c"),
		Remove:     bind("x", "remove scenario", "x"),
		Other:      bind("tab", "next scenario", "tab"),

		Copy: bind("y", "copy figures", "y"),

		Section:         bind("]", "weeks ahead", "]"),
		PreviousSection: bind("[", "months", "["),
		Basis:           bind("i", "basis and tests", "i"),

		Next:     bind("↓", "down", "down", "tab"),
		Previous: bind("↑", "up", "up", "shift+tab"),
		Advance:  bind("enter", "next", "enter"),
		Toggle:   bind("space", "toggle", "space"),
		Done:     bind("ctrl+s", "compare", "ctrl+s"),
		Leave:    bind("esc", "cancel", "esc"),
		Erase:    bind("ctrl+x", "clear the form", "ctrl+x"),
	}
}

// enable enables exactly the keys that have an effect in the current state.
func (s *Screen) enable() {
	k := &s.keys
	active := s.activeList()
	reading := s.section == weekList && s.open.level == basisText
	k.EnableMoves(active != nil || reading)
	k.Open.SetEnabled(active != nil && !reading && s.canOpen())
	k.Open.SetHelp("enter", s.openHelp())
	k.Back.SetEnabled(s.open.level != closed)
	k.Section.SetEnabled(s.section == monthList && len(s.arranged.lists) > 0)
	k.PreviousSection.SetEnabled(s.section == weekList && len(s.arranged.lists) > 0)
	k.Basis.SetEnabled(len(s.sentences()) > 0 && !reading && len(s.arranged.lists) > 0)
	_, able := s.start()
	_, free := s.scenarios.Free()
	some := able && s.scenarios.Count() > 0
	k.Create.SetEnabled(able && free)
	k.Change.SetEnabled(some)
	k.Remove.SetEnabled(some)
	k.Other.SetEnabled(able && s.scenarios.Count() > 1)
	k.Copy.SetEnabled(s.data.Cash.State().HasFigures())
	k.Toggle.SetEnabled(s.form.at == scenario.OverdueField)
	k.Advance.SetHelp("enter", "next")
	if s.form.at == lastField {
		k.Advance.SetHelp("enter", "compare")
	}
}

// Help returns the keys of the open question or form, or else those of the scenarios and of the
// table of months.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	if s.question.Open() {
		return s.question.Help()
	}
	if s.form.open {
		return []views.HelpGroup{{Title: "What if", Bindings: []key.Binding{
			k.Done, k.Advance, k.Toggle, k.Leave, k.Next, k.Previous, k.Erase,
		}}}
	}
	return append(s.reading.Help(),
		views.HelpGroup{Title: "Runway", Bindings: []key.Binding{k.Back, k.Open, k.Section, k.PreviousSection, k.Basis}},
		views.HelpGroup{Title: "What if", Bindings: []key.Binding{k.Create, k.Change, k.Remove, k.Other, k.Copy}},
		views.HelpGroup{Title: "List", Bindings: k.Moves()},
	)
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	k := &s.keys
	if !s.Typing() {
		if cmd, handled := s.reading.Answer(msg); handled {
			s.syncView()
			return cmd
		}
	}
	switch {
	case s.question.Open():
		s.cache.Invalidate()
		return s.question.Press(msg)
	case s.form.open:
		return s.keyInForm(msg)
	case key.Matches(msg, k.Open):
		return s.openSelected()
	case key.Matches(msg, k.Section), key.Matches(msg, k.PreviousSection):
		s.section = weekList - s.section
		s.syncView()
	case key.Matches(msg, k.Basis):
		s.section, s.open = weekList, open{level: basisText}
		s.syncView()
	case key.Matches(msg, k.Back):
		s.backInWeeks()
	case key.Matches(msg, k.Copy):
		s.cache.Invalidate()
		return s.question.Copy(s.theme, "the figures", s.text())
	case key.Matches(msg, k.Create):
		slot, _ := s.scenarios.Free()
		s.openForm(slot)
	case key.Matches(msg, k.Change):
		s.openForm(s.scenarios.Selected)
	case key.Matches(msg, k.Remove):
		slot := s.scenarios.Selected
		s.scenarios.Remove(slot)
		s.recompute()
		return tea.Batch(views.Tell("scenario "+string(scenario.Letter(slot))+" removed"), s.save())
	case key.Matches(msg, k.Other):
		s.scenarios.Next()
		s.reopen()
		s.syncView()
		return s.save()
	default:
		s.move(msg)
	}
	return nil
}

// move moves the cursor of the list, or scrolls the text about the forecast.
func (s *Screen) move(press tea.KeyPressMsg) {
	if s.section == weekList && s.open.level == basisText {
		if lines, ok := s.keys.LineMove(press, max(1, s.height/2)); ok {
			s.open.offset = max(0, min(s.open.offset+lines, s.basisHidden()))
			s.cache.Invalidate()
		}
		return
	}
	if l := s.activeList(); l != nil && l.Update(press, s.keys.Navigation) {
		l.cursor = l.Cursor()
		s.cache.Invalidate()
		s.enable()
	}
}

// canOpen reports whether the row under the cursor leads somewhere.
func (s *Screen) canOpen() bool {
	if s.section == monthList || s.open.level == closed {
		return true
	}
	at := s.open.list.cursor
	return s.open.level == weekItems && (len(s.open.items[at].rows) > 0 || s.open.items[at].invoice != "")
}

// openHelp says what the key that opens a row shows.
func (s *Screen) openHelp() string {
	switch {
	case s.section == monthList:
		return "transactions"
	case s.open.level == closed:
		return "made of"
	case s.open.level == weekItems && s.activeList() != nil && s.open.items[s.open.list.cursor].invoice != "":
		return "invoice"
	}
	return "transactions"
}
