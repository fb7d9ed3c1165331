package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/views"
)

func (b *billSide) newActions() views.Actions {
	s := b.page
	listed := func() bool { return len(b.vendors) > 0 }
	known := func() bool { p := b.value(); return p != nil && p.Known() }
	enter := views.Open(func() bool {
		one, ok := b.bill()
		return ok && (!one.PaidOn.IsZero() || b.asks(one.MayBePaid)) || !b.inside && listed()
	}, b.open)
	enter.Says = b.opens
	return views.Actions{
		views.Back(func() bool { return b.inside }, b.back),
		enter,
		{Key: "m", Help: "mark", When: func() bool { return b.inside && b.marking.can() }, Do: b.marking.ask},
		{Key: "[", Help: "owed to us", Do: views.Do(func() { s.showBills(false) })},
		{Key: "n", Help: "import in Books", When: func() bool { return s.env.Books != nil && !s.env.ReadOnly },
			Do: func() tea.Cmd { return views.Go(views.Books, nil) }},
		{Key: "y", Help: "copy bill", When: func() bool { return b.inside }, Do: b.copyBill},
		views.Export(s.env, listed, func() tea.Cmd { return s.file.Ask(b.table, "tarmac bills", "bills") }),
		{Key: "/", Help: "filter", When: func() bool { return listed() || b.search != "" }, Do: views.Do(b.prompt.Ask)},
		{Key: "Y", Help: "copy figures", When: known, Do: func() tea.Cmd {
			return s.question.Copy(s.theme, "the figures", b.text())
		}},
		{Key: "x", Help: "remove filter", When: func() bool { return b.search != "" },
			Do: views.Do(func() { b.setSearch("") })},
	}
}

// asks reports whether the page Books asks if a payment pays a bill.
func (b *billSide) asks(mayBePaid bool) bool { return mayBePaid && b.page.env.Books != nil }

// opens says what enter opens.
func (b *billSide) opens() string {
	switch one, ok := b.bill(); {
	case !ok:
		return "bills"
	case b.asks(one.MayBePaid):
		return "questions"
	}
	return "payment"
}

// open moves the cursor to the bills of the selected vendor, or returns the command that opens the
// day of the payment that settled the selected bill, or the page that asks about it.
func (b *billSide) open() tea.Cmd {
	one, ok := b.bill()
	switch {
	case !ok:
		b.inside = len(b.bills) > 0
		b.billTable.SetCursor(0)
		b.syncView()
		return nil
	case b.asks(one.MayBePaid):
		return views.Go(views.Books, nil)
	}
	day := one.PaidOn
	return views.Go(views.Transactions, views.TransactionsTarget{
		From: day, To: day, Direction: apiclient.Outflow, ID: one.PaidBy,
	})
}

// copyBill returns the command that copies all that is known of the selected bill.
func (b *billSide) copyBill() tea.Cmd {
	one, ok := b.bill()
	if !ok {
		return nil
	}
	text := ""
	for _, f := range record.Bill(one) {
		if f.Label != "" && f.Text() != "" {
			text += f.Label + ": " + f.Text() + "\n"
		}
	}
	return b.page.question.Copy(b.page.theme, "the bill", text)
}

// help returns the keys of the open question or prompt, or else those of the side.
func (b *billSide) help() []views.HelpGroup {
	if keys, open := b.layers.Help(); open {
		return keys
	}
	return []views.HelpGroup{b.actions.Help("To pay"), b.page.nav.Help("Vendors", len(b.vendors) > 0)}
}

func (b *billSide) key(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := b.layers.Press(press)
	if !taken {
		cmd, taken = b.actions.Press(press)
	}
	switch {
	case taken:
	case b.inside:
		b.billTable.Update(press, b.page.nav)
	case len(b.vendors) > 0 && b.vendorTable.Update(press, b.page.nav):
		b.selectVendor()
	}
	b.syncView()
	return cmd
}

// click selects the clicked vendor or bill. A click on the selected one opens it.
func (b *billSide) click(x, y int) tea.Cmd {
	a := b.arrange()
	x, y = x-a.side(), y-a.above-a.buckets
	if b.layers.Open() || !b.state().HasFigures() {
		return nil
	}
	rows, inside := b.vendorTable, false
	if a.invoices > 0 && y >= a.customers {
		rows, inside, y = b.billTable, true, y-a.customers
	}
	was := b.inside
	b.inside = inside && len(b.bills) > 0
	b.syncView()
	row, ok := rows.At(x, y-1)
	switch {
	case !ok:
		b.inside = was
	case was == b.inside && row == rows.Cursor():
		return b.page.Update(views.Enter())
	default:
		rows.SetCursor(row)
		if !inside {
			b.selectVendor()
		}
	}
	b.syncView()
	return nil
}
