package invoices

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"tarmac/client/resource"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	views.PromptKeys
	NextStatus, PreviousStatus, Search, Remove key.Binding
	Save, View, CopyNumber, CopyID, New        key.Binding
	Export                                     key.Binding
}

func newKeyMap(env views.Env) keyMap {
	k := keyMap{
		Navigation:     views.NewNavigation(),
		PromptKeys:     views.NewPromptKeys("apply"),
		NextStatus:     key.NewBinding(key.WithKeys("f", "tab", "]"), key.WithHelp("f", "status")),
		PreviousStatus: key.NewBinding(key.WithKeys("F", "shift+tab", "["), key.WithHelp("F", "previous status")),
		Search:         key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter")),
		Remove:         key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "remove last filter")),
		Save:           key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "save PDF")),
		View:           key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "open PDF")),
		CopyNumber:     key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy number")),
		CopyID:         key.NewBinding(key.WithKeys("Y"), key.WithHelp("Y", "copy id")),
		Export:         views.ExportKey(env),
		New:            key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new invoice")),
	}
	k.New.SetEnabled(!env.ReadOnly)
	if env.Places.Remote {
		k.Save.SetHelp("s", "how to save PDF")
	}
	return k
}

// enable enables exactly the keys that have an effect in the current state.
func (s *Screen) enable() {
	k := &s.keys
	_, one := s.current()
	alone := s.single.id != ""
	allowed := s.state().Status != resource.NotAllowed
	k.NextStatus.SetEnabled(!alone && allowed)
	k.PreviousStatus.SetEnabled(!alone && allowed)
	k.Search.SetEnabled(!alone && allowed)
	k.Remove.SetEnabled(!alone && s.Filtered())
	k.Open.SetEnabled(one && !alone && !s.detail.open)
	k.Back.SetEnabled(alone || s.detail.open)
	k.Save.SetEnabled(one && s.saving == "")
	k.View.SetEnabled(one && s.saving == "" && s.env.Open != nil)
	k.CopyNumber.SetEnabled(one)
	k.CopyID.SetEnabled(one)
	k.Export.SetEnabled(one && !alone)
	k.EnableMoves(one)
}

// Help returns the keys of the open question or prompt, or else those of the list and detail.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	if keys, open := views.OpenHelp(&s.question, &s.file); open {
		return keys
	}
	if s.prompt.Typing() {
		return k.PromptHelp("Filter")
	}
	list := []key.Binding{k.Search, k.NextStatus, k.New, k.Export, k.Remove}
	one := []key.Binding{k.Save, k.View, k.CopyNumber, k.CopyID}
	if s.detail.open {
		list, one = one, list // a narrow footer shows only the first keys
	}
	return []views.HelpGroup{
		{Title: "Invoices", Bindings: slices.Concat([]key.Binding{k.Back, k.Open}, list, one,
			[]key.Binding{k.PreviousStatus})},
		{Title: "List", Bindings: k.Moves()},
	}
}
