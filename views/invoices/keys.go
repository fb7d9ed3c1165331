package invoices

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/views"
)

// actions are the keys of the screen. A narrow footer shows only the first ones, so those of one
// invoice come first while its details are open.
type actions struct{ list, detail views.Actions }

func (s *Screen) newActions() actions {
	return actions{
		list:   slices.Concat(s.stepActions(), s.listActions(), s.invoiceActions(), s.tabActions()[1:]),
		detail: slices.Concat(s.stepActions(), s.invoiceActions(), s.listActions(), s.tabActions()[1:]),
	}
}

// active returns the actions of the part that has the focus.
func (s *Screen) active() views.Actions {
	if s.detail.open {
		return s.actions.detail
	}
	return s.actions.list
}

// one reports whether there is an invoice to act on.
func (s *Screen) one() bool {
	_, ok := s.current()
	return ok
}

// alone reports whether the screen shows an invoice that another page has opened.
func (s *Screen) alone() bool { return s.single.id != "" }

// listed reports whether the screen shows a list that the token may read.
func (s *Screen) listed() bool { return !s.alone() && s.state().Status != resource.NotAllowed }

func (s *Screen) stepActions() views.Actions {
	return views.Actions{
		views.Back(func() bool { return s.alone() || s.detail.open }, s.Back),
		views.Open(func() bool { return s.one() && !s.alone() && !s.detail.open }, func() tea.Cmd {
			s.detail.open = true
			return nil
		}),
	}
}

// tabActions show the next and the previous tab.
func (s *Screen) tabActions() views.Actions {
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { s.showTab(s.tab + by); return nil }
	}
	return views.Actions{
		{Key: nextTab, Also: []string{"tab", "]"}, Help: "status", When: s.listed, Do: step(1)},
		{Key: "F", Also: []string{"shift+tab", "["}, Help: "previous status", When: s.listed, Do: step(-1)},
	}
}

const nextTab = "f"

func (s *Screen) listActions() views.Actions {
	writes := func() bool { return !s.env.ReadOnly }
	return views.Actions{
		{Key: "/", Help: "filter", When: s.listed, Do: func() tea.Cmd { s.search.Ask(); return nil }},
		s.tabActions()[0],
		{Key: "n", Help: "new invoice", When: writes, Do: func() tea.Cmd {
			return views.Go(views.Propose, views.ProposeTarget{})
		}},
		{Key: "n", Hidden: true, Do: func() tea.Cmd {
			return views.Warn("read-only session: no invoice can be proposed")
		}},
		views.Export(s.env, func() bool { return s.one() && !s.alone() }, func() tea.Cmd {
			return s.file.Ask(s.listedTable, "tarmac invoices list --limit 200", s.fileWords()...)
		}),
		{Key: "x", Help: "remove last filter", When: func() bool { return !s.alone() && s.Filtered() },
			Do: views.Do(func() { chips, _ := s.chips(); s.removeFilter(len(chips) - 1) })},
	}
}

func (s *Screen) invoiceActions() views.Actions {
	free := func() bool { return s.one() && s.saving == "" }
	save := views.Action{Key: "s", Help: "save PDF", When: free, Do: func() tea.Cmd {
		return s.confirmSave("Save", false)
	}}
	if s.env.Places.Remote {
		save.Help = "how to save PDF"
	}
	return views.Actions{
		save,
		{Key: "o", Help: "open PDF", When: func() bool { return free() && s.env.Open != nil },
			Do: func() tea.Cmd { return s.confirmSave("Open", true) }},
		{Key: "y", Help: "copy number", When: s.one, Do: func() tea.Cmd {
			return s.copy("the invoice's number", func(i *apiclient.Invoice) string { return i.Number })
		}},
		{Key: "Y", Help: "copy id", When: s.one, Do: func() tea.Cmd {
			return s.copy("the invoice's id", func(i *apiclient.Invoice) string { return i.ID })
		}},
	}
}

// Help returns the keys of the open question or prompt, or else those of the list and detail.
func (s *Screen) Help() []views.HelpGroup {
	if keys, open := s.layers.Help(); open {
		return keys
	}
	return []views.HelpGroup{s.active().Help("Invoices"), s.nav.Help("List", s.one())}
}
