package receivables

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/counterparty"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/fold"
	"tarmac/internal/plural"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/billlist"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// billSide is the other side of the page: what is to be paid to vendors.
type billSide struct {
	page    *Screen
	list    billlist.List
	vendors []payables.Vendor // those that match the filter, by when their first bill is due
	bills   []payables.Bill   // of the selected vendor: those to pay, then the others
	marks   vendorMarks

	needs     needs // of all vendors, instead of customers and their invoices
	mostToPay int64 // largest sum to pay to a vendor, in minor units

	vendorTable, billTable *table.Table
	inside                 bool   // the cursor is in the table of bills
	owner                  string // key of the vendor whose bills that table shows
	search                 string // text filter; "" matches all
	prompt                 *listdetail.Filter
	marking                *marking
	layers                 views.Layers // of the page, and prompt and marking
	actions                views.Actions
	cache                  panel.Cache
}

// billsOf returns the source of bills, if a source has them, or nil.
func billsOf(source Source) payables.Source {
	bills, _ := source.(payables.Source)
	return bills
}

func newBillSide(s *Screen, source collections.Source) *billSide {
	b := &billSide{page: s, list: billlist.New(s.env, billsOf(source))}
	b.prompt = listdetail.NewFilter("vendor or bill number", func() string { return b.search }, b.setSearch)
	b.marking = newMarking(b)
	b.layers = views.Layers{s.question, s.file, b.marking, b.prompt}
	b.actions = b.newActions()
	b.vendorTable = table.New(vendorColumns(), vendorRows{b})
	b.billTable = table.New(billColumns(), billRows{b})
	return b
}

// value returns the bills, or nil while nothing was read.
func (b *billSide) value() *payables.Payables {
	p, _ := b.list.Value()
	return p
}

// state returns the fetch state. It is empty if nothing is known about bills, or if there are none.
func (b *billSide) state() resource.State {
	state := b.list.State()
	if p := b.value(); p != nil && state.HasFigures() && len(p.Open)+len(p.Disputed)+len(p.Paid) == 0 {
		state.Status = resource.Empty
	}
	return state
}

// update handles the messages for the side, whether it is shown or not.
func (b *billSide) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case billlist.Response:
		b.list.Store(msg)
		b.filter()
	case billMarked:
		return b.marking.finish(msg)
	case snapshot.Result:
		b.list.ApplyOutage()
		b.cache.Invalidate()
	case views.Tick:
		if b.list.Err() != nil {
			b.cache.Invalidate() // ages and countdowns change with time
		}
	case tea.PasteMsg, saveas.Written:
		b.cache.Invalidate()
	}
	return nil
}

// fetchDue returns the command that fetches the bills. It returns nil if they are not shown or not
// due to be fetched.
func (b *billSide) fetchDue() tea.Cmd {
	if !b.page.visible || !b.page.paying {
		return nil
	}
	return b.list.FetchDue()
}

func (b *billSide) setSearch(text string) {
	if text != b.search {
		b.search = text
		b.filter()
	}
}

// filter recomputes the shown vendors. The cursor stays on the same vendor if that is still shown.
func (b *billSide) filter() {
	owner, at := b.owner, 0
	b.vendors = nil
	var everybody []payables.Vendor
	if p := b.value(); p != nil {
		everybody = p.Everybody()
	}
	for _, v := range everybody {
		if !b.matches(&v) {
			continue
		}
		if counterparty.Key(v.Name) == owner {
			at = len(b.vendors)
		}
		b.vendors = append(b.vendors, v)
	}
	b.measure(everybody)
	b.placeMarks()
	b.vendorTable.Highlight(b.search)
	b.vendorTable.Invalidate()
	b.vendorTable.SetRows(len(b.vendors), len(b.vendors))
	b.vendorTable.SetCursor(at)
	b.selectVendor()
}

// measure finds out what room all vendors and their bills need, whatever the filter and the cursor.
func (b *billSide) measure(everybody []payables.Vendor) {
	b.needs, b.mostToPay = needs{customers: len(everybody)}, 0
	widest := 0
	for i := range everybody {
		v := &everybody[i]
		b.needs.invoices = max(b.needs.invoices, len(v.Bills)+len(v.Closed))
		b.mostToPay = max(b.mostToPay, sum(byAge(v)))
		for _, one := range slices.Concat(v.Bills, v.Closed) {
			widest = max(widest, amount.Needed(one.Open))
		}
	}
	b.billTable.Widen(openColumn, widest)
	b.vendorTable.WidenNames(len(everybody), func(i int) string { return nameOfVendor(&everybody[i]) })
}

func (b *billSide) matches(v *payables.Vendor) bool {
	if record.Vendor(v).Pick("vendor_name").Contains(b.search) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(v.Bills, v.Closed), func(one payables.Bill) bool {
		from, _ := fold.Find(one.Number, b.search)
		return from >= 0
	})
}

// vendor returns the vendor under the cursor.
func (b *billSide) vendor() (*payables.Vendor, bool) {
	if i := b.vendorTable.Cursor(); i < len(b.vendors) {
		return &b.vendors[i], true
	}
	return nil, false
}

// bill returns the bill under the cursor.
func (b *billSide) bill() (*payables.Bill, bool) {
	if i := b.billTable.Cursor(); b.inside && i < len(b.bills) {
		return &b.bills[i], true
	}
	return nil, false
}

// selectVendor fills the table of bills with those of the vendor under the cursor.
func (b *billSide) selectVendor() {
	key := ""
	b.bills = nil
	if v, ok := b.vendor(); ok {
		key = counterparty.Key(v.Name)
		b.bills = slices.Concat(v.Bills, v.Closed)
	}
	if key != b.owner {
		b.owner = key
		b.billTable.SetCursor(0)
	}
	b.billTable.Invalidate()
	b.inside = b.inside && len(b.bills) > 0
	b.syncView()
}

// syncView discards the drawn page. The table of bills has a cursor while it is inside.
func (b *billSide) syncView() {
	reach := 0
	if b.inside {
		reach = len(b.bills)
	}
	b.billTable.SetRows(reach, len(b.bills))
	b.cache.Invalidate()
}

func (b *billSide) setTheme(t theme.Theme) {
	b.vendorTable.SetTheme(t)
	b.vendorTable.Hide(toPayByAgeColumn, t.Masked)
	b.billTable.SetTheme(t)
	b.layers.SetTheme(t)
	b.cache.Invalidate()
}

// back closes what was opened last. It returns false if there was nothing to close.
func (b *billSide) back() bool {
	had := true
	switch {
	case b.layers.Cancel():
	case b.inside:
		b.inside = false
	case b.search != "":
		b.setSearch("")
	default:
		had = false
	}
	b.syncView()
	return had
}

// table returns the bills of the shown vendors for export, as in tarmac bills --all --csv.
func (b *billSide) table() saveas.Table {
	shown, rows := map[string]bool{}, []record.Object{}
	for i := range b.vendors {
		shown[counterparty.Key(b.vendors[i].Name)] = true
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
