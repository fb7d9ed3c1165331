// Package receivables is the page of receivables: aging buckets by days past due, totals, and the
// customers with their habits, ordered by whom to remind first. Its other side has the bills to
// pay, by vendor.
package receivables

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/billlist"
	"tarmac/views/parts/invoicelist"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// Source lists the API requests of the screen. *apiclient.Client implements it.
type Source = collections.Source

// Screen is the page of receivables. Its aging comes from the snapshot, and it fetches the invoices
// from which the habits of customers are derived.
type Screen struct {
	views.Base

	data     *snapshot.Snapshot
	invoices invoicelist.List
	all      []collections.Customer
	shown    []*collections.Customer // customers that match the filter, in the order of sorting

	mostOpen     int64 // largest sum of the open invoices of a customer, in minor units
	mostInvoices int   // largest number of them

	allMarked bool   // all known amounts of the shown customers leave something out
	sentence  string // how much is overdue, and whom to remind first

	today civil.Date

	theme         theme.Theme
	inks          inks
	width, height int
	nav           views.Navigation
	actions       views.Actions
	customers     *table.Table
	invoiceTable  *table.Table // open invoices of the selected customer
	prompt        *listdetail.Filter
	question      *masked.Question
	file          *saveas.Line
	layers        views.Layers // question, file and prompt
	bills         *billSide
	paying        bool   // the side with the bills is shown
	bucket        int    // number of the selected bucket, from 1; 0 if a customer is selected
	inside        bool   // the cursor is in the table of invoices
	owner         string // key of the customer whose invoices that table shows
	sorting       int    // index in sortings
	search        string // text filter; "" matches all
	sought        string // name of the customer to which the cursor moves once it is known
	hasFigures    bool   // there are figures to select
	rows          int    // number of customers to select
	cache         panel.Cache

	visible bool
	env     views.Env
}

// New returns the page with the figures that env.Snapshot has so far. It fetches the invoices once
// it is visible.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		data: env.Snapshot, env: env, invoices: invoicelist.New(env, source), nav: views.NewNavigation(),
		question: masked.NewQuestion(), file: saveas.New(env.Places),
	}
	s.prompt = listdetail.NewFilter("name, e-mail or invoice number", func() string { return s.search }, s.setSearch)
	s.layers = views.Layers{s.question, s.file, s.prompt}
	s.bills = newBillSide(s, source)
	s.actions = s.newActions()
	s.customers = table.New(customerColumns(), customerRows{s})
	s.invoiceTable = table.New(invoiceColumns(), invoiceRows{s})
	s.SetTheme(env.Theme)
	s.update()
	return s
}

// Typing reports whether a prompt or a question is open, so that the root model's keys are
// disabled.
func (s *Screen) Typing() bool { return s.layers.Open() || s.bills.layers.Open() }

// Filtered reports whether a text filter hides customers or vendors.
func (s *Screen) Filtered() bool { return s.search != "" || s.bills.search != "" }

// Unfinished returns a warning while a bill is being marked.
func (s *Screen) Unfinished() string {
	if s.bills.marking.running {
		return "a bill is being marked; leaving cancels that"
	}
	return ""
}

// showBills shows the side with the bills, or the one with what customers owe.
func (s *Screen) showBills(on bool) {
	s.layers.Cancel()
	s.bills.layers.Cancel()
	s.paying = on
	s.syncView()
	s.bills.syncView()
}

// Back closes what was opened last: a question or prompt, the invoices of a customer, the selected
// bucket, or else the text filter. It returns false if there was nothing to close.
func (s *Screen) Back() bool {
	if s.paying {
		return s.bills.back()
	}
	had := true
	switch {
	case s.layers.Cancel():
	case s.inside:
		s.inside = false
	case s.bucket > 0:
		s.bucket = 0
	case s.search != "":
		s.setSearch("")
	default:
		had = false
	}
	s.syncView()
	return had
}

// SetVisible discards the drawn page, because ages and countdowns may have changed while it was
// hidden.
func (s *Screen) SetVisible(visible bool) {
	s.visible = visible
	s.update()
}

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.layers.SetWidth(max(0, width))
	s.bills.layers.SetWidth(max(0, width))
	s.syncView()
	s.bills.syncView()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme, s.inks = t, newInks(t)
	s.customers.SetTheme(t)
	s.customers.Hide(byAgeColumn, t.Masked)
	s.invoiceTable.SetTheme(t)
	s.layers.SetTheme(t)
	s.cache.Invalidate()
	s.bills.setTheme(t)
}

// Update handles keys, pastes, ticks, fetched invoices, outcomes of exports, and new data of the
// snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if cmd := s.bills.update(msg); cmd != nil {
		return cmd
	}
	switch msg := msg.(type) {
	case snapshot.Result:
		s.invoices.CheckEvents(msg)
		s.update()
	case invoicelist.Response:
		s.invoices.Store(msg)
		s.update()
	case views.InvoiceCreated:
		s.invoices.MarkOutdated()
	case views.Tick:
		switch {
		case civil.Of(s.env.Now()) != s.today:
			s.update()
		case s.data.Aging.Err() != nil || s.invoices.Err() != nil:
			s.cache.Invalidate() // ages and countdowns change with time
		}
	case tea.PasteMsg:
		s.shownLayers().Paste(msg)
		s.cache.Invalidate()
	case saveas.Written:
		s.cache.Invalidate()
		return s.file.Take(msg)
	case tea.KeyPressMsg:
		if !s.paying {
			cmd := s.key(msg)
			return tea.Batch(cmd, s.bills.fetchDue())
		}
		return s.bills.key(msg)
	case billlist.Response:
	default:
		return nil
	}
	return s.fetchDue()
}

// owed returns the totals of what is owed.
func (s *Screen) owed() figures.Aging {
	a, _ := s.data.Aging.Value()
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
	s.bucket, s.inside = (bucket+n)%n, false
	s.syncView()
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

// syncView discards the drawn page and counts the rows. It is called after every change of state.
func (s *Screen) syncView() {
	s.cache.Invalidate()
	s.hasFigures = s.data.Aging.State().HasFigures()
	if !s.hasFigures || s.arrange().buckets == 0 {
		s.bucket = 0
	}
	s.inside = s.inside && s.hasFigures && s.bucket == 0
	s.showCursor()
	s.rows = 0
	if a := s.arrange(); s.hasFigures && a.customers+a.invoices > 0 {
		s.rows = len(s.shown)
	}
}

// View draws the page.
func (s *Screen) View() string {
	if s.paying {
		return s.bills.view()
	}
	return s.cache.Text(func() []string {
		lines := panel.Box(s.draw(), s.width, s.height)
		if top := s.layers.Top(); top != nil && len(lines) > 0 {
			lines[len(lines)-1] = listdetail.Fit(top.Draw(), s.width)
		}
		return lines
	})
}

// shownLayers are the layers of the shown side.
func (s *Screen) shownLayers() views.Layers {
	if s.paying {
		return s.bills.layers
	}
	return s.layers
}
