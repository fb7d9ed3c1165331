package receivables

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/counterparty"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/internal/fold"
	"tarmac/internal/plural"
	"tarmac/views"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/billlist"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
)

// billSide is the other side of the page: what is to be paid to vendors.
type billSide struct {
	screen  *Screen
	source  payables.Source // nil if the server doesn't keep bills
	list    *page.Data[*payables.Payables]
	vendors *page.List[payables.Vendor] // by when their first bill is due
	bills   *page.List[payables.Bill]   // of the selected vendor: those to pay, then the others
	billsOf []payables.Bill             // records of bills
	pair    page.Pair[payables.Vendor, payables.Bill]
	marks   vendorMarks
	marking *marking
	keys    views.Actions

	everybody []payables.Vendor
	needs     needs // of all vendors, instead of customers and their invoices
	mostToPay int64 // largest sum to pay to a vendor, in minor units
}

func newBillSide(s *Screen, source collections.Source) *billSide {
	b := &billSide{screen: s}
	b.source, _ = source.(payables.Source)
	b.list = billlist.Data(s.Env, b.source, func() tea.Cmd { b.fill(); return nil })
	b.list.When = func() bool { return b.source != nil && s.paying }
	b.vendors = page.NewList(s.Page, page.Listing[payables.Vendor]{
		Hint:  "vendor or bill number",
		Items: func() []payables.Vendor { return b.everybody }, State: ready,
		ID:      func(v *payables.Vendor) string { return counterparty.Key(v.Name) },
		Columns: vendorColumns(), Row: b.vendorRow, Finds: b.finds, Filled: b.placeMarks,
	})
	b.bills = page.NewList(s.Page, page.Listing[payables.Bill]{
		Items: func() []payables.Bill { return b.billsOf }, State: ready,
		ID:      func(one *payables.Bill) string { return one.Number + one.IssuedOn.String() },
		Columns: billColumns(), Row: b.billRow, Finds: anything[payables.Bill],
	})
	b.pair = page.Pair[payables.Vendor, payables.Bill]{
		Outer: b.vendors, Inner: b.bills, Chosen: func(string) { b.setBills() },
	}
	b.marking = newMarking(b)
	b.keys = b.newKeys()
	return b
}

// value returns the bills, or nil until they have been read.
func (b *billSide) value() *payables.Payables {
	p, _ := b.list.Value()
	return p
}

// state returns the fetch state. It is empty if the list of bills is empty or unknown.
func (b *billSide) state() resource.State {
	state := b.list.State()
	if p := b.value(); p != nil && state.HasFigures() && len(p.Open)+len(p.Disputed)+len(p.Paid) == 0 {
		state.Status = resource.Empty
	}
	return state
}

// fill shows the fetched bills. It finds out what room all vendors and their bills need, whatever
// the filter and the cursor.
func (b *billSide) fill() {
	b.everybody = b.value().Everybody()
	b.needs, b.mostToPay = needs{customers: len(b.everybody)}, 0
	widest := 0
	for i := range b.everybody {
		v := &b.everybody[i]
		b.needs.invoices = max(b.needs.invoices, len(v.Bills)+len(v.Closed))
		b.mostToPay = max(b.mostToPay, sum(byAge(v)))
		for _, one := range slices.Concat(v.Bills, v.Closed) {
			widest = max(widest, amount.Needed(one.Open))
		}
	}
	b.bills.Table.Widen(openColumn, widest)
	b.vendors.Table.WidenNames(len(b.everybody), func(i int) string { return nameOfVendor(&b.everybody[i]) })
	b.vendors.Fill()
	b.setBills()
}

// setBills lists the bills of the selected vendor.
func (b *billSide) setBills() {
	b.billsOf = nil
	if v := b.vendors.Current(); v != nil {
		b.billsOf = slices.Concat(v.Bills, v.Closed)
	}
}

func (b *billSide) finds(v *payables.Vendor, text string) bool {
	if record.Vendor(v).Pick("vendor_name").Contains(text) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(v.Bills, v.Closed), func(one payables.Bill) bool {
		from, _ := fold.Find(one.Number, text)
		return from >= 0
	})
}

// bill returns the bill under the cursor, or nil if the cursor is not among the bills.
func (b *billSide) bill() *payables.Bill {
	if !b.pair.Inside {
		return nil
	}
	return b.bills.Current()
}

func (b *billSide) places() []views.Place {
	if v := b.vendors.Current(); v != nil {
		return views.PlacesOf(v.Name)
	}
	return nil
}

func (b *billSide) newKeys() views.Actions {
	listed := func() bool { return b.vendors.Len() > 0 }
	inside := func() bool { return b.pair.Inside }
	enter := views.Open(func() bool {
		one := b.bill()
		return one != nil && (!one.PaidOn.IsZero() || b.asks(one.MayBePaid)) || !inside() && listed()
	}, b.open)
	enter.Says = b.opens
	return views.Actions{
		b.pair.BackKey(),
		enter,
		{Key: "m", Help: "mark", When: func() bool { return inside() && b.marking.can() }, Do: b.marking.ask},
		{Key: "[", Help: "owed to us", Do: views.Do(func() { b.screen.showBills(false) })},
		{Key: "n", Help: "import in Books", When: func() bool { return b.screen.Books != nil && !b.screen.ReadOnly },
			Do: func() tea.Cmd { return views.Go(views.Books, nil) }},
		{Key: "y", Help: "copy bill", When: inside, Do: b.copyBill},
		views.Export(b.screen.Env, listed, func() tea.Cmd { return b.screen.File.Ask(b.table, "tarmac bills", "bills") }),
		b.vendors.FilterKey(func() bool { return listed() || b.vendors.Text != "" }),
		{Key: "Y", Help: "copy figures", When: func() bool { p := b.value(); return p != nil && p.Known() },
			Do: func() tea.Cmd { return b.screen.Question.Copy(b.screen.Theme, "the figures", b.text()) }},
		b.vendors.RemoveTextKey(),
	}
}

// asks reports whether the page Books asks if a payment pays a bill.
func (b *billSide) asks(mayBePaid bool) bool { return mayBePaid && b.screen.Books != nil }

// opens says what enter opens.
func (b *billSide) opens() string {
	switch one := b.bill(); {
	case one == nil:
		return "bills"
	case b.asks(one.MayBePaid):
		return "questions"
	}
	return "payment"
}

// open moves the cursor to the bills of the selected vendor, or returns the command that opens the
// day of the payment that settled the selected bill, or the page that asks about it.
func (b *billSide) open() tea.Cmd {
	one := b.bill()
	switch {
	case one == nil:
		b.pair.Inside = true
		b.bills.Table.SetCursor(0)
		return nil
	case b.asks(one.MayBePaid):
		return views.Go(views.Books, nil)
	}
	return views.Go(views.Transactions, views.TransactionsTarget{
		From: one.PaidOn, To: one.PaidOn, Direction: apiclient.Outflow, ID: one.PaidBy,
	})
}

// copyBill returns the command that copies all that is known of the selected bill.
func (b *billSide) copyBill() tea.Cmd {
	text := ""
	for _, f := range record.Bill(b.bill()) {
		if f.Label != "" && f.Text() != "" {
			text += f.Label + ": " + f.Text() + "\n"
		}
	}
	return b.screen.Question.Copy(b.screen.Theme, "the bill", text)
}

// table returns the bills of the shown vendors for export, as in tarmac bills --all --csv.
func (b *billSide) table() saveas.Table {
	shown, rows := map[string]bool{}, []record.Object{}
	for i := range b.vendors.Len() {
		shown[counterparty.Key(b.vendors.Item(i).Name)] = true
	}
	if p := b.value(); p != nil {
		for _, one := range slices.Concat(p.Open, p.Disputed, p.Paid) {
			if shown[counterparty.Key(one.VendorName)] {
				rows = append(rows, record.Bill(&one))
			}
		}
	}
	return saveas.Table{Sample: record.Bill(&payables.Bill{}), Records: rows, What: plural.Count(len(rows), "bill")}
}
