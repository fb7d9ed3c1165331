package spend

import (
	"charm.land/bubbles/v2/key"

	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	Next, Previous                      key.Binding // other lists of figures
	Direction, Months, Older, Newer     key.Binding
	Sort, Filter, RemoveLast, RemoveAll key.Binding
	Copy, Export                        key.Binding
	Apply, Cancel                       key.Binding
}

func newKeyMap() keyMap {
	bind := func(shown, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
	}
	return keyMap{
		Navigation: views.NewNavigation(),
		Next:       bind("]", "next figures", "]", "tab"),
		Previous:   bind("[", "previous figures", "[", "shift+tab"),
		Direction:  bind("d", "direction", "d"),
		Months:     bind("f", "dates", "f"),
		Older:      bind("<", "a month back", "<"),
		Newer:      bind(">", "a month on", ">"),
		Sort:       bind("S", "sort", "S"),
		Filter:     bind("/", "filter", "/"),
		RemoveLast: bind("x", "remove last filter", "x", "backspace"),
		RemoveAll:  bind("X", "remove all filters", "X"),
		Copy:       bind("y", "copy", "y"),
		Export:     bind("e", "export", "e"),
		Apply:      bind("enter", "apply", "enter"),
		Cancel:     bind("esc", "cancel", "esc"),
	}
}

// enable enables the keys that have an effect in the current state and disables the others.
func (s *Screen) enable() {
	k, l := &s.keys, s.list()
	known, rows := s.hasFigures(), s.rows != nil
	some := known && l.table.Reach() > 0
	for _, b := range []*key.Binding{&k.Next, &k.Previous} {
		b.SetEnabled(known && !rows)
	}
	k.Direction.SetEnabled(known && !rows && s.tab != changes)
	k.Months.SetEnabled(known && !rows && s.tab != recurring)
	k.Older.SetEnabled(known && !rows && s.tab == changes && s.canMove(-1))
	k.Newer.SetEnabled(known && !rows && s.tab == changes && s.canMove(1))
	k.Sort.SetEnabled(some && l.count() > 1)
	k.Filter.SetEnabled(known && l.count() > 0)
	k.RemoveLast.SetEnabled(len(s.chips()) > 0)
	k.RemoveAll.SetEnabled(len(s.chips()) > 0)
	k.Copy.SetEnabled(some)
	k.Export.SetEnabled(some)
	k.Open.SetEnabled(some && !s.details)
	k.Open.SetHelp("enter", "transactions")
	if rows {
		k.Open.SetHelp("enter", "details")
	}
	k.Back.SetEnabled(rows)
	k.EnableMoves(some)
}

// Help returns the keys that work now.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	if keys, open := views.OpenHelp(&s.input.question, &s.input.file); open {
		return keys
	}
	if s.input.prompt.Typing() {
		title := "Filter"
		if s.input.months {
			title = "Months"
		}
		return []views.HelpGroup{{Title: title, Bindings: []key.Binding{k.Apply, k.Cancel}}}
	}
	return append(s.reading.Help(),
		views.HelpGroup{Title: "Spend", Bindings: []key.Binding{
			k.Back, k.Open, k.Next, k.Direction, k.Months, k.Older, k.Newer, k.Sort, k.Filter, k.Copy, k.Export,
			k.RemoveLast, k.RemoveAll, k.Previous,
		}},
		views.HelpGroup{Title: "List", Bindings: k.Moves()},
	)
}
