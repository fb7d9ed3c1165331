// Package receivables is the page of receivables: aging buckets by days past due, totals, and the
// customers with their habits, the most urgent first. Its other side has the bills to pay, by
// vendor.
package receivables

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/filters"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/page"
)

// Source lists the API requests of the screen. *apiclient.Client implements it.
type Source = collections.Source

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Receivables, Digit: "3", Title: "Receivables", Short: "Recv",
		Needs:   []snapshot.Part{snapshot.Aging},
		Entries: []views.Entry{{Label: "Bills to pay", Target: views.ReceivablesTarget{Bills: true}}},
		New:     func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Screen is the page of receivables. Its aging comes from the snapshot, and it fetches the
// invoices that show the habits of customers.
type Screen struct {
	*page.Page

	invoices  *page.Data[collections.List]
	known     []collections.Customer
	all       []collections.Customer // in the order of sorting
	customers *page.List[collections.Customer]
	open      *page.List[collections.Open] // invoices of the selected customer
	pair      page.Pair[collections.Customer, collections.Open]
	bucket    int // number of the selected bucket, from 1; 0 if a customer is selected
	sorting   int // index in sortings
	bills     *billSide
	paying    bool   // the side with the bills is shown
	sought    string // the cursor moves to the customer with this name once it is known

	mostOpen     int64  // largest sum of the open invoices of a customer, in minor units
	mostInvoices int    // largest number of them
	allMarked    bool   // all known amounts of the shown customers are incomplete
	sentence     string // how much is overdue, and whom to remind first
	day          civil.Date
	inks         inks
}

// ready is the state of lists that are derived from other figures.
func ready() resource.State { return resource.State{Status: resource.Ready} }

// New returns the page with the figures that env.Snapshot has so far. It fetches the invoices once
// it is opened.
func New(env views.Env, source Source) *Screen {
	s := &Screen{Page: page.New(env)}
	s.invoices = invoicelist.Data(env.Snapshot, source, func() tea.Cmd { s.update(); return nil })
	s.invoices.When, s.invoices.Secondary = func() bool { return source != nil }, false
	s.customers = page.NewList(s.Page, page.Listing[collections.Customer]{
		Hint:  "name, e-mail or invoice number",
		Items: func() []collections.Customer { return s.all }, State: ready, ID: customerKey,
		Columns: customerColumns(), Row: s.customerRow, Finds: finds, Filled: s.placeMarks,
		Places: func(c *collections.Customer) []views.Place { return views.PlacesOf(c.Name) },
	})
	s.open = page.NewList(s.Page, page.Listing[collections.Open]{
		Items: s.openOf, State: ready, ID: func(o *collections.Open) string { return o.ID },
		Columns: invoiceColumns(), Row: s.invoiceRow, Finds: anything[collections.Open],
	})
	s.pair = page.Pair[collections.Customer, collections.Open]{Outer: s.customers, Inner: s.open}
	s.bills = newBillSide(s, source)
	keys := s.keys()
	s.Declare(page.Spec{
		Title: "Receivables", Body: body{s}, On: s.on, Show: s.show, Sync: s.sync, Records: s.records,
		Keys: func() views.Actions {
			if s.paying {
				return s.bills.keys
			}
			return keys
		},
		Data:   []page.Source{s.invoices, s.bills.list},
		Lists:  []page.Lister{s.customers, s.bills.vendors},
		Layers: views.Layers{s.bills.marking},
		Chips:  []page.Chip{s.customers.Chip(), s.bills.vendors.Chip()},
		Themed: func() { s.inks = newInks(s.Theme) },
		Kept:   s.kept, Restore: s.restore, State: s.state,
	})
	s.update()
	return s
}

// anything lets each record pass the filter of another list.
func anything[T any](*T, string) bool { return true }

func (s *Screen) on(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case snapshot.Result, views.Visible:
		s.update()
	case views.InvoiceCreated:
		s.invoices.Outdate()
	case views.Tick:
		if civil.Of(s.Now()) != s.day {
			s.update()
		}
	case billMarked:
		return s.bills.marking.finish(msg), true
	default:
		return nil, false
	}
	return nil, true
}

// show moves the cursor to a customer, or shows the bills to pay.
func (s *Screen) show(target any) (tea.Cmd, bool) {
	t, ok := target.(views.ReceivablesTarget)
	if ok {
		s.showBills(t.Bills)
		if !t.Bills {
			s.sought = t.Customer
			s.customers.SetText("")
			s.findSought()
		}
	}
	return nil, ok
}

// sync applies what belongs to the selected customer or vendor.
func (s *Screen) sync() {
	figures := s.Snapshot.Aging.State().HasFigures()
	if !figures || s.arrange().buckets == 0 {
		s.bucket = 0
	}
	s.pair.Inside = s.pair.Inside && figures && s.bucket == 0
	s.pair.Sync()
	s.bills.pair.Sync()
	s.customers.Table.Hide(byAgeColumn, s.Theme.Masked)
	s.bills.vendors.Table.Hide(toPayByAgeColumn, s.Theme.Masked)
}

// update computes the customers from the invoices and the aging, and keeps the selected one.
func (s *Screen) update() {
	s.day = civil.Of(s.Now())
	var customers []collections.Customer
	if list := s.invoices.Known(); s.invoices.State().HasFigures() {
		customers = collections.Customers(list.Invoices, s.day)
	}
	if a, known := s.Snapshot.Aging.Value(); known && s.Snapshot.Aging.State().HasFigures() {
		customers = collections.WithAging(customers, a, s.day)
	}
	s.known = customers
	s.sentence = s.answer()
	s.sort()
	s.findSought()
}

// sort sorts the customers.
func (s *Screen) sort() {
	s.all = slices.Clone(s.known)
	slices.SortStableFunc(s.all, sortings[s.sorting].compare)
	s.measure()
	s.customers.Fill()
}

// answer says how much is overdue and whom to remind first. It returns "" if that is unknown.
func (s *Screen) answer() string {
	if !s.Snapshot.Aging.State().HasFigures() {
		return ""
	}
	owed := s.owed()
	text := why.OwedText(&owed)
	if text == "" {
		return ""
	}
	first := slices.Clone(s.known)
	slices.SortStableFunc(first, collections.ByPriority)
	return strings.TrimSpace(mark.Sentence(text) + " " + mark.Unsigned(collections.FirstText(first)))
}

// findSought moves the cursor to the customer that another page has asked for, once there are
// customers.
func (s *Screen) findSought() {
	if s.sought == "" || len(s.all) == 0 {
		return
	}
	for i := range s.customers.Len() {
		if strings.EqualFold(s.customers.Item(i).Name, s.sought) {
			s.bucket, s.pair.Inside = 0, false
			s.customers.Table.SetCursor(i)
			break
		}
	}
	s.sought = ""
}

// showBills shows the side with the bills, or the one with what customers owe.
func (s *Screen) showBills(on bool) {
	if s.Top() != nil {
		s.Top().Cancel()
	}
	s.paying = on
}

// state adds the fetch states, the shown side's first, and what would be lost.
func (s *Screen) state(is *views.State) {
	if s.paying {
		slices.Reverse(is.Fetched)
		is.Places = s.bills.places
	}
	if s.bills.marking.running {
		is.Unfinished = "a bill is being marked; leaving cancels that"
	}
}

// owed returns the totals of what is owed.
func (s *Screen) owed() figures.Aging {
	a, _ := s.Snapshot.Aging.Value()
	return figures.AgingOf(a)
}

// openInvoices returns the command that opens the invoices behind an amount owed.
func (s *Screen) openInvoices(target views.InvoicesTarget, owed figures.Total) tea.Cmd {
	target.Owed = owed.Minor != 0
	return views.Go(views.Invoices, target)
}

// selectBucket selects the bucket with this number, counted from 1. The number 0 and the number
// after the last bucket select no bucket; -1 selects the last one.
func (s *Screen) selectBucket(bucket int) {
	n := len(figures.BucketLabels) + 1
	s.bucket, s.pair.Inside = (bucket+n)%n, false
}

// bucketTarget returns the target that opens the invoices in the bucket with this index, counted
// from 0.
func bucketTarget(bucket int) views.InvoicesTarget {
	days := figures.BucketDays[bucket]
	to := views.InvoicesTarget{
		Status:  apiclient.InvoiceOverdue,
		PastDue: views.DaysPastDue{Name: figures.BucketLabels[bucket] + " past due", From: days[0], To: days[1]},
	}
	if bucket == 0 {
		to.Status, to.PastDue.Name = apiclient.InvoiceSent, "not due"
	}
	return to
}

func (s *Screen) keys() views.Actions {
	known := func() bool { return s.Snapshot.Aging.State().HasFigures() }
	buckets := func() bool { return known() && s.arrange().buckets > 0 }
	enter := views.Open(func() bool { return s.rows() > 0 || s.bucket > 0 }, s.openSelected)
	enter.Says = s.opens
	return views.Actions{
		s.pair.BackKey(),
		enter,
		{Key: "]", Help: "to pay", When: func() bool { return s.bills.source != nil },
			Do: views.Do(func() { s.showBills(true) })},
		{Key: "y", Help: "copy reminder", When: func() bool { return s.rows() > 0 && s.bucket == 0 }, Do: s.remind},
		views.Export(s.Env, known, s.export),
		{Key: "S", Help: "sort", When: func() bool { return s.rows() > 1 }, Do: views.Do(s.nextSorting)},
		s.customers.FilterKey(func() bool { return s.rows() > 0 || s.customers.Text != "" }),
		{Key: "tab", Help: "next bucket", When: buckets, Do: views.Do(func() { s.selectBucket(s.bucket + 1) })},
		{Key: "o", Help: "overdue invoices", When: known, Do: func() tea.Cmd {
			return s.openInvoices(views.InvoicesTarget{Status: apiclient.InvoiceOverdue}, s.owed().Overdue)
		}},
		{Key: "Y", Help: "copy figures", When: known, Do: func() tea.Cmd {
			return s.Question.Copy(s.Theme, "the figures", s.text())
		}},
		s.customers.RemoveTextKey(),
		{Key: "shift+tab", Help: "previous bucket", When: buckets, Do: views.Do(func() { s.selectBucket(s.bucket - 1) })},
	}
}

// opens says what enter opens.
func (s *Screen) opens() string {
	switch {
	case s.bucket > 0:
		return "bucket's invoices"
	case s.pair.Inside:
		return "invoice"
	}
	return "invoices"
}

func (s *Screen) nextSorting() {
	s.sorting = (s.sorting + 1) % len(sortings)
	s.sort()
	s.customers.Table.SetCursor(0)
}

// openSelected opens the selected bucket, customer or invoice.
func (s *Screen) openSelected() tea.Cmd {
	if s.bucket > 0 {
		return s.openInvoices(bucketTarget(s.bucket-1), s.owed().Buckets[s.bucket-1])
	}
	if o := s.open.Current(); o != nil && s.pair.Inside {
		if s.customers.Current().IsListed {
			return views.Warn("this is all that the imported list says of the invoice")
		}
		return views.Go(views.Invoices, views.InvoiceTarget{ID: o.ID})
	}
	return s.openCustomer()
}

// billsPart names the side with the bills in what is kept for the next session.
const billsPart = "bills"

// kept returns the filter, the side and the order of the customers.
func (s *Screen) kept() views.Kept {
	k := views.Kept{Filter: filters.Filter{Text: s.customers.Text}}
	if s.sorting > 0 {
		k.Shown.Order = sortings[s.sorting].title
	}
	if s.paying {
		k.Shown.Part = billsPart
	}
	return k
}

func (s *Screen) restore(k views.Kept) {
	if k.Filter.Text != "" {
		s.customers.SetText(k.Filter.Text)
	}
	if k.Shown != (state.Shown{}) {
		s.showBills(k.Shown.Part == billsPart && s.bills.source != nil)
	}
	if at := slices.IndexFunc(sortings[:], func(one sorting) bool { return one.title == k.Shown.Order }); at >= 0 {
		s.sorting = at
		s.sort()
	}
}

// records returns the customers and the vendors.
func (s *Screen) records() (names []views.Record) {
	for i := range s.all {
		if s.all[i].Name != "" {
			names = append(names, views.NameOf(s.all[i].Name))
		}
	}
	for i := range s.bills.vendors.Len() {
		if name := s.bills.vendors.Item(i).Name; name != "" {
			names = append(names, views.NameOf(name))
		}
	}
	return names
}
