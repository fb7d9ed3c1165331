package transactions

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"tarmac/client/resource"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	Direction, Dates, Keyword, RemoveLast, RemoveAll key.Binding
	GoTo, Share, Copy, Export, Sort                  key.Binding
	Copies                                           []key.Binding
	Apply, Cancel                                    key.Binding
}

func newKeyMap(env views.Env) keyMap {
	k := keyMap{
		Navigation: views.NewNavigation(),
		Direction:  key.NewBinding(key.WithKeys("d"), key.WithHelp("d", "direction")),
		Dates:      key.NewBinding(key.WithKeys("f"), key.WithHelp("f", "dates")),
		Keyword:    key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter")),
		RemoveLast: key.NewBinding(key.WithKeys("x", "backspace"), key.WithHelp("x", "remove last filter")),
		RemoveAll:  key.NewBinding(key.WithKeys("X"), key.WithHelp("X", "remove all filters")),
		GoTo:       key.NewBinding(key.WithKeys("t"), key.WithHelp("t", "go to")),
		Share:      key.NewBinding(key.WithKeys("%"), key.WithHelp("%", "go to %")),
		Copy:       key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy")),
		Export:     views.ExportKey(env),
		Sort:       key.NewBinding(key.WithKeys("S"), key.WithHelp("S", "sort")),
		Apply:      key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "apply")),
		Cancel:     key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
	for _, c := range copies() {
		k.Copies = append(k.Copies, key.NewBinding(key.WithKeys(c.key), key.WithHelp(c.key, c.name)))
	}
	return k
}

// enable enables the keys that have an effect in the current state and disables the others.
func (s *Screen) enable() {
	k := &s.keys
	allowed := s.state.State().Status != resource.NotAllowed
	filtered, listed := !s.filter.empty(), allowed && s.table.Reach() > 0
	_, one := s.row(s.table.Cursor())
	dated := s.sorting.order == byDate
	for _, b := range []*key.Binding{&k.Direction, &k.Dates, &k.Keyword} {
		b.SetEnabled(allowed)
	}
	k.RemoveLast.SetEnabled(filtered)
	k.RemoveAll.SetEnabled(filtered)
	k.Open.SetEnabled(listed && !s.detail.open)
	k.Back.SetEnabled(s.detail.open || s.seekingByUser() || s.sorting.reading || s.exports.running != nil)
	k.GoTo.SetEnabled(listed && dated && !s.sorting.reading)
	k.Share.SetEnabled(listed && dated && !s.sorting.reading)
	k.Sort.SetEnabled(listed)
	k.Top.SetHelp("g", map[bool]string{true: "newest", false: "first"}[dated])
	k.Bottom.SetHelp("G", map[bool]string{true: "oldest", false: "last"}[dated])
	k.Copy.SetEnabled(allowed && one)
	k.Export.SetEnabled(listed && s.exports.running == nil)
	k.EnableMoves(listed)
}

// Help returns the keys that work now.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	switch {
	case s.input.question.Open():
		return s.input.question.Help()
	case s.input.copying != nil:
		return []views.HelpGroup{{Title: "Copy", Bindings: append(slices.Clone(k.Copies), k.Cancel)}}
	case s.input.prompt.Typing():
		title, does := "Filter", "apply"
		switch s.input.kind {
		case toPosition, toPercent:
			title, does = "Go to", "go"
		case toFile:
			title, does = "Export", "export; .csv or .json in the name sets the format"
		}
		k.Apply.SetHelp(k.Apply.Help().Key, does)
		k.Apply.SetEnabled(s.exports.preparing == nil)
		return []views.HelpGroup{{Title: title, Bindings: []key.Binding{k.Apply, k.Cancel}}}
	}
	return []views.HelpGroup{
		{Title: "Transactions", Bindings: []key.Binding{
			k.Back, k.Open, k.Keyword, k.Dates, k.GoTo, k.Export, k.Copy, k.Direction, k.Sort, k.RemoveLast, k.RemoveAll,
		}},
		{Title: "List", Bindings: append(k.Moves(), k.Share)},
	}
}
