package receivables

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/table"
)

func invoiceColumns() []table.Column {
	return []table.Column{
		{Title: "Number", Min: 10, Whole: table.WidestNumber, Tight: 8, Ideal: 11},
		{Title: "Status", Min: 7, Ideal: 8, Priority: 3},
		{Title: "Due", Min: 10, Ideal: 10, Priority: 1},
		{Title: "Days late", Min: 9, Ideal: 9, Align: table.Right},
		{Title: "Beyond usual", Min: 12, Ideal: 12, Align: table.Right, Priority: 2},
		{Title: "Expected", Min: 14, Ideal: 14, Priority: 1},
		{Title: "Total     ", Min: amount.Width, Whole: amount.Widest, Tight: 15, Ideal: amount.Width,
			Align: table.Right},
		{Title: "Description", Min: 20, Ideal: 30, Flex: 1, Priority: 4},
	}
}

// totalColumn is the index of the table column that shows an invoice's total.
const totalColumn = 6

// openOf returns the open invoices of the customer under the cursor.
func (s *Screen) openOf() []collections.Open {
	if c := s.customers.Current(); c != nil {
		return c.Open
	}
	return nil
}

// invoiceRow appends the cells of an invoice to dst.
func (s *Screen) invoiceRow(_ int, o *collections.Open, dst []table.Cell) ([]table.Cell, bool) {
	ink, due := s.inks.aging[figures.BucketOf(o.DaysLate)], money.Dash
	if o.DueDate != nil {
		due = civil.Of(*o.DueDate).String()
	}
	return append(
		dst, table.Cell{Text: cmp.Or(o.Number, o.ID), KeepEnd: true}, table.Cell{Text: string(o.Status), Ink: ink},
		table.Cell{Text: due, Ink: s.inks.faint}, table.Cell{Text: money.Count(int64(o.DaysLate)), Ink: ink},
		table.Cell{Text: money.Count(int64(o.BeyondUsual))}, table.Cell{Text: o.ExpectedText()},
		table.Cell{Text: amount.InOwnCurrency(o.Total, "")}, table.Cell{Text: o.Description, Ink: s.inks.faint},
	), true
}

// measure finds the room that all customers and their invoices need, whatever the filter and the
// cursor, so that columns and panels stay in place while the cursor moves.
func (s *Screen) measure() {
	s.mostOpen, s.mostInvoices = 0, 0
	widest, widestTotal := 0, 0
	for i := range s.all {
		c := &s.all[i]
		s.mostOpen = max(s.mostOpen, sum(s.openByAge(c)))
		s.mostInvoices = max(s.mostInvoices, len(c.Open))
		for _, o := range c.Open {
			widest = max(widest, termtext.Width(cmp.Or(o.Number, o.ID)))
			widestTotal = max(widestTotal, amount.Needed(o.Total))
		}
	}
	s.open.Table.Widen(0, widest)
	s.open.Table.Widen(totalColumn, widestTotal)
	s.customers.Table.WidenNames(len(s.all), func(i int) string { return nameOf(&s.all[i]) })
}

func customerKey(c *collections.Customer) string {
	return c.Email + "\x00" + c.Name
}

// openCustomer moves the cursor to the invoices of the selected customer. For a customer without
// listed invoices, it returns the command that opens the page Invoices, which says why there are
// none.
func (s *Screen) openCustomer() tea.Cmd {
	c := s.customers.Current()
	switch {
	case c == nil:
		return nil
	case len(c.Open) > 0:
		s.pair.Inside = true
		return nil
	case c.IsImported:
		target := views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: c.Name}
		return s.openInvoices(target, c.Owed)
	}
	return views.Go(views.Invoices, views.InvoicesTarget{Customer: c.Name})
}

// invoicesTitle names the customer whose invoices are shown.
func (s *Screen) invoicesTitle() string {
	c := s.customers.Current()
	if c == nil {
		return "Open invoices"
	}
	title := "Open invoices of " + nameOf(c)
	if c.Email != "" {
		title += " · " + c.Email
	}
	return title
}

func (s *Screen) invoicesBody(int, int) []string {
	c := s.customers.Current()
	switch {
	case c == nil:
		return nil
	case c.IsImported && !s.invoices.State().HasFigures():
		return []string{s.Theme.Faint.Render("The invoices have not been loaded yet.")}
	case c.IsImported:
		list, _ := s.invoices.Value()
		return []string{s.Theme.Faint.Render(list.NoNumbersOf())}
	case len(c.Open) == 0:
		return []string{s.Theme.Faint.Render("Nothing open.")}
	}
	return s.open.Table.Lines()
}

// remind returns the command that copies the reminder to the selected customer.
func (s *Screen) remind() tea.Cmd {
	c := s.customers.Current()
	switch {
	case c == nil:
		return nil
	case c.IsImported && !s.invoices.State().HasFigures():
		return views.Warn("the invoices have not been loaded yet")
	case c.IsImported:
		list, _ := s.invoices.Value()
		return views.Warn(list.NoNumbersOf())
	case c.Reminder() == "":
		return views.Warn(nameOf(c) + " has no overdue invoices")
	}
	return s.Question.Copy(s.Theme, "the reminder to "+nameOf(c), c.Reminder())
}
