package runway

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/scenario"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation                                    // these scroll the table of months
	Create, Change, Remove, Other, Copy                 key.Binding
	Next, Previous, Advance, Toggle, Done, Leave, Erase key.Binding // keys of the form
}

func newKeyMap() keyMap {
	bind := func(shown, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
	}
	return keyMap{
		Navigation: views.NewNavigation(),
		Create:     bind("n", "new scenario", "n"),
		Change:     bind("enter", "change", "enter", "c"),
		Remove:     bind("x", "remove", "x"),
		Other:      bind("tab", "next scenario", "tab"),

		Copy: bind("y", "copy figures", "y"),

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
	k.EnableMoves(s.hiddenMonths() > 0)
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
	return []views.HelpGroup{
		{Title: "What if", Bindings: []key.Binding{k.Create, k.Change, k.Remove, k.Other, k.Copy}},
		{Title: "Months", Bindings: k.Moves()},
	}
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	k := &s.keys
	switch {
	case s.question.Open():
		s.cache.Invalidate()
		return s.question.Answer(msg)
	case s.form.open:
		return s.keyInForm(msg)
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
		s.syncView()
		return s.save()
	default:
		s.scroll(msg)
	}
	return nil
}
