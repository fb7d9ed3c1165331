package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/views"
)

func (s *Screen) newActions() views.Actions {
	figures := func() bool { return s.hasFigures }
	buckets := func() bool { return s.hasFigures && s.arrange().buckets > 0 }
	filtered := func() bool { return s.search != "" }
	enter := views.Open(func() bool { return s.rows > 0 || s.bucket > 0 }, s.open)
	enter.Says = s.opens
	return views.Actions{
		views.Back(func() bool { return s.inside }, s.Back),
		enter,
		{Key: "]", Help: "to pay", When: s.bills.list.HasSource, Do: views.Do(func() { s.showBills(true) })},
		{Key: "y", Help: "copy reminder", When: func() bool { return s.rows > 0 && s.bucket == 0 }, Do: s.remind},
		views.Export(s.env, figures, s.export),
		{Key: "S", Help: "sort", When: func() bool { return s.rows > 1 }, Do: s.nextSorting},
		{Key: "/", Help: "filter", When: func() bool { return s.rows > 0 || s.search != "" },
			Do: func() tea.Cmd { s.prompt.Ask(); return nil }},
		{Key: "tab", Help: "next bucket", When: buckets, Do: func() tea.Cmd { s.selectBucket(s.bucket + 1); return nil }},
		{Key: "o", Help: "overdue invoices", When: figures, Do: func() tea.Cmd {
			return s.openInvoices(views.InvoicesTarget{Status: apiclient.InvoiceOverdue}, s.owed().Overdue)
		}},
		{Key: "Y", Help: "copy figures", When: figures, Do: func() tea.Cmd {
			return s.question.Copy(s.theme, "the figures", s.text())
		}},
		{Key: "x", Help: "remove filter", When: filtered, Do: func() tea.Cmd { s.setSearch(""); return nil }},
		{Key: "shift+tab", Help: "previous bucket", When: buckets,
			Do: func() tea.Cmd { s.selectBucket(s.bucket - 1); return nil }},
	}
}

// opens says what enter opens.
func (s *Screen) opens() string {
	switch {
	case s.bucket > 0:
		return "bucket's invoices"
	case s.inside:
		return "invoice"
	}
	return "invoices"
}

// Help returns the keys of the open question or prompt, or else those that select and open buckets
// and customers.
func (s *Screen) Help() []views.HelpGroup {
	if s.paying {
		return s.bills.help()
	}
	if keys, open := s.layers.Help(); open {
		return keys
	}
	return []views.HelpGroup{s.actions.Help("Receivables"), s.nav.Help("Customers", s.rows > 0)}
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := s.layers.Press(press)
	if !taken {
		cmd, taken = s.actions.Press(press)
	}
	if !taken {
		s.move(press)
	}
	s.syncView()
	return cmd
}

func (s *Screen) nextSorting() tea.Cmd {
	s.sorting = (s.sorting + 1) % len(sortings)
	s.filter()
	s.customers.SetCursor(0)
	s.selectCustomer()
	return nil
}

// open opens the selected bucket, customer or invoice.
func (s *Screen) open() tea.Cmd {
	if s.bucket > 0 {
		return s.openInvoices(bucketTarget(s.bucket-1), s.owed().Buckets[s.bucket-1])
	}
	if o, ok := s.invoice(); ok && s.inside {
		if c, _ := s.customer(); c.IsListed {
			return views.Warn("this is all that the imported list says of the invoice")
		}
		return views.Go(views.Invoices, views.InvoiceTarget{ID: o.ID})
	}
	return s.openCustomer()
}

// move moves the cursor in the table of invoices, or else in the table of customers.
func (s *Screen) move(press tea.KeyPressMsg) {
	switch {
	case s.inside && s.rows > 0:
		s.invoiceTable.Update(press, s.nav)
	case !s.inside:
		s.bucket = 0
		if s.rows > 0 && s.customers.Update(press, s.nav) {
			s.selectCustomer()
		}
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
