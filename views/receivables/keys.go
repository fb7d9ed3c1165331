package receivables

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/views"
)

type keyMap struct {
	views.Navigation
	views.PromptKeys
	Remind, CopyFigures, Sort, Search, Remove key.Binding
	Overdue, Next, Previous, Export           key.Binding
}

func newKeyMap(env views.Env) keyMap {
	return keyMap{
		Navigation:  views.NewNavigation(),
		PromptKeys:  views.NewPromptKeys("apply"),
		Remind:      key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy reminder")),
		CopyFigures: key.NewBinding(key.WithKeys("Y"), key.WithHelp("Y", "copy figures")),
		Sort:        key.NewBinding(key.WithKeys("S"), key.WithHelp("S", "sort")),
		Search:      key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "filter")),
		Remove:      key.NewBinding(key.WithKeys("x"), key.WithHelp("x", "remove filter")),
		Overdue:     key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "overdue invoices")),
		Next:        key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "next bucket")),
		Previous:    key.NewBinding(key.WithKeys("shift+tab"), key.WithHelp("shift+tab", "previous bucket")),
		Export:      views.ExportKey(env),
	}
}

// enable enables exactly the keys that have an effect in the current state. figures says that the
// aging has figures.
func (s *Screen) enable(figures bool) {
	k, a := &s.keys, s.arrange()
	n := 0
	if figures && a.customers+a.invoices > 0 {
		n = len(s.shown)
	}
	k.Next.SetEnabled(figures && a.buckets > 0)
	k.Previous.SetEnabled(figures && a.buckets > 0)
	k.EnableMoves(n > 0)
	k.Open.SetEnabled(n > 0 || s.bucket > 0)
	k.Back.SetEnabled(s.inside)
	switch {
	case s.bucket > 0:
		k.Open.SetHelp("enter", "bucket's invoices")
	case s.inside:
		k.Open.SetHelp("enter", "invoice")
	default:
		k.Open.SetHelp("enter", "invoices")
	}
	k.Remind.SetEnabled(n > 0 && s.bucket == 0)
	k.CopyFigures.SetEnabled(figures)
	k.Export.SetEnabled(figures)
	k.Overdue.SetEnabled(figures)
	k.Sort.SetEnabled(n > 1)
	k.Search.SetEnabled(n > 0 || s.search != "")
	k.Remove.SetEnabled(s.search != "")
}

// Help returns the keys of the open question or prompt, or else those that select and open buckets
// and customers.
func (s *Screen) Help() []views.HelpGroup {
	k := &s.keys
	if keys, open := views.OpenHelp(&s.question, &s.file); open {
		return keys
	}
	if s.prompt.Typing() {
		return k.PromptHelp("Filter")
	}
	here := []key.Binding{
		k.Back, k.Open, k.Remind, k.Export, k.Sort, k.Search, k.Next, k.Overdue, k.CopyFigures, k.Remove, k.Previous,
	}
	return []views.HelpGroup{{Title: "Receivables", Bindings: here}, {Title: "Customers", Bindings: k.Moves()}}
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	s.cache.Invalidate()
	switch {
	case s.question.Open():
		return s.question.Answer(press)
	case s.file.Open():
		return s.file.Press(press)
	case s.prompt.Typing():
		s.keyInSearch(press)
		return nil
	}
	return s.command(press)
}

// command handles a key while no prompt is open.
func (s *Screen) command(press tea.KeyPressMsg) tea.Cmd {
	k := &s.keys
	switch {
	case key.Matches(press, k.Remind):
		return s.remind()
	case key.Matches(press, k.CopyFigures):
		return s.question.Copy(s.theme, "the figures", s.text())
	case key.Matches(press, k.Export):
		return s.export()
	case key.Matches(press, k.Sort):
		s.sorting = (s.sorting + 1) % len(sortings)
		s.filter()
		s.customers.SetCursor(0)
		s.selectCustomer()
	case key.Matches(press, k.Search):
		s.previous = s.search
		s.prompt.Open("Filter  ", "name, e-mail or invoice number", 200, s.search)
	case key.Matches(press, k.Remove):
		s.setSearch("")
	case key.Matches(press, k.Next):
		s.selectBucket(s.bucket + 1)
	case key.Matches(press, k.Previous):
		s.selectBucket(s.bucket - 1)
	case key.Matches(press, k.Back):
		s.Back()
	case key.Matches(press, k.Open):
		return s.open()
	case key.Matches(press, k.Overdue):
		return s.openInvoices(views.InvoicesTarget{Status: apiclient.InvoiceOverdue}, s.owed().Overdue)
	default:
		s.move(press)
	}
	return nil
}

// open opens the selected bucket, customer or invoice.
func (s *Screen) open() tea.Cmd {
	if s.bucket > 0 {
		return s.openInvoices(bucketTarget(s.bucket-1), s.owed().Buckets[s.bucket-1])
	}
	if o, ok := s.invoice(); ok && s.inside {
		return views.Go(views.Invoices, views.InvoiceTarget{ID: o.ID})
	}
	return s.openCustomer()
}

// move moves the cursor in the table of invoices, or else in the table of customers.
func (s *Screen) move(press tea.KeyPressMsg) {
	if s.inside {
		s.invoiceTable.Update(press, s.keys.Navigation)
		return
	}
	s.bucket = 0
	if s.customers.Update(press, s.keys.Navigation) {
		s.selectCustomer()
	}
	s.syncView()
}

// keyInSearch handles a key in the prompt of the text filter, which applies after each key.
func (s *Screen) keyInSearch(press tea.KeyPressMsg) {
	switch {
	case key.Matches(press, s.keys.Cancel):
		s.Back()
	case key.Matches(press, s.keys.Apply):
		s.prompt.Close()
		s.syncView()
	default:
		s.prompt.Press(press)
		s.setSearch(s.prompt.Text())
	}
}

// SavedFilter returns the text filter of the customers.
func (s *Screen) SavedFilter() filters.Filter { return filters.Filter{Text: s.search} }

// RestoreFilter sets the text filter that an earlier session saved.
func (s *Screen) RestoreFilter(f filters.Filter) tea.Cmd {
	s.setSearch(f.Text)
	s.syncView()
	return nil
}

func (s *Screen) setSearch(text string) {
	if text != s.search {
		s.search = text
		s.filter()
	}
}
