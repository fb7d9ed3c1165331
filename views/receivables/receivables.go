// Package receivables is the page of receivables: aging buckets by days past due, totals, and the
// customers who owe the largest overdue amounts.
package receivables

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/saveas"
)

// Screen is the page of receivables. All its figures come from the snapshot.
type Screen struct {
	views.Base

	data             *snapshot.Snapshot
	theme            theme.Theme
	width, height    int
	nav              views.Navigation
	overdue          key.Binding // opens all overdue invoices
	next, previous   key.Binding // select a bucket
	copy, export     key.Binding
	question         masked.Question
	file             saveas.Line
	bucket           int // number of the selected bucket, from 1; 0 if a customer is selected
	selected, offset int // rows of the customers table: the selected one and the first visible one
	cache            panel.Cache

	env views.Env
}

// New returns the page with the figures that env.Snapshot has so far.
func New(env views.Env) *Screen {
	s := &Screen{
		data: env.Snapshot, env: env, theme: env.Theme, nav: views.NewNavigation(),
		overdue: key.NewBinding(key.WithKeys("o"), key.WithHelp("o", "overdue invoices")),
	}
	s.next = key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "next bucket"))
	s.previous = key.NewBinding(key.WithKeys("shift+tab"), key.WithHelp("shift+tab", "previous bucket"))
	s.copy = key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy figures"))
	s.export = key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "export"))
	s.question, s.file = masked.NewQuestion(), saveas.New(env.Places)
	s.file.SetTheme(env.Theme)
	s.syncView()
	return s
}

// Typing reports whether a prompt or a question is open, so that the root model's keys are
// disabled.
func (s *Screen) Typing() bool { return s.question.Open() || s.file.Open() }

// Back closes the open prompt or question, or else deselects the bucket. It returns false if there
// was nothing to close or deselect.
func (s *Screen) Back() bool {
	had := s.bucket > 0 || s.Typing()
	if s.Typing() {
		s.question.Close()
		s.file.Close()
	} else {
		s.bucket = 0
	}
	s.syncView()
	return had
}

// SetVisible discards the drawn page, because ages and countdowns may have changed while it was
// hidden.
func (s *Screen) SetVisible(bool) { s.cache.Invalidate() }

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.file.SetWidth(max(0, width))
	s.syncView()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.cache.Invalidate()
	s.file.SetTheme(t)
}

// Help returns the keys of the open question or prompt, or else those that select and open buckets
// and customers.
func (s *Screen) Help() []views.HelpGroup {
	if keys, open := views.OpenHelp(&s.question, &s.file); open {
		return keys
	}
	here := []key.Binding{s.nav.Open, s.next, s.overdue, s.copy, s.export, s.previous}
	return []views.HelpGroup{{Title: "Receivables", Bindings: here}, {Title: "Customers", Bindings: s.nav.Moves()}}
}

// Update handles keys, pastes, ticks, outcomes of exports, and new data of the snapshot.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshot.Result:
		s.syncView()
	case views.Tick:
		if s.data.Aging.Err() != nil {
			s.cache.Invalidate() // ages and countdowns change with time
		}
	case tea.PasteMsg:
		s.file.Paste(msg)
		s.cache.Invalidate()
	case saveas.Written:
		s.cache.Invalidate()
		return s.file.Take(msg)
	case tea.KeyPressMsg:
		return s.key(msg)
	}
	return nil
}

func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	s.cache.Invalidate()
	switch {
	case s.question.Open():
		return s.question.Answer(press)
	case s.file.Open():
		return s.file.Press(press)
	case key.Matches(press, s.copy):
		return s.question.Copy(s.theme, "the figures", s.text())
	case key.Matches(press, s.export):
		s.file.Ask(s.buckets, "receivables")
		return nil
	case key.Matches(press, s.next):
		s.selectBucket(s.bucket + 1)
		return nil
	case key.Matches(press, s.previous):
		s.selectBucket(s.bucket - 1)
		return nil
	case key.Matches(press, s.nav.Open) && s.bucket > 0:
		return s.openInvoices(bucketTarget(s.bucket-1), s.owed().Buckets[s.bucket-1])
	case key.Matches(press, s.nav.Open):
		a, _ := s.data.Aging.Value()
		target := views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: a.TopOverdue[s.selected].Name}
		return s.openInvoices(target, s.owed().Customers[s.selected])
	case key.Matches(press, s.overdue):
		return s.openInvoices(views.InvoicesTarget{Status: apiclient.InvoiceOverdue}, s.owed().Overdue)
	}
	s.move(press)
	return nil
}

// owed returns the totals of what is owed.
func (s *Screen) owed() figures.Aging {
	a, _ := s.data.Aging.Value()
	return figures.AgingOf(a)
}

// openInvoices returns the command that opens the invoices behind an amount owed.
func (s *Screen) openInvoices(target views.InvoicesTarget, owed figures.Total) tea.Cmd {
	target.Owed = owed.Cents != 0
	return views.Go(views.Invoices, target)
}

// selectBucket selects the bucket with this number, counted from 1. The number 0 and the number
// after the last bucket select no bucket; -1 selects the last one.
func (s *Screen) selectBucket(bucket int) {
	n := len(figures.BucketLabels) + 1
	s.bucket = (bucket + n) % n
	s.syncView()
}

// bucketTarget returns the target that opens the invoices in the bucket with this index, counted
// from 0.
func bucketTarget(bucket int) views.InvoicesTarget {
	days := figures.BucketDays[bucket]
	to := views.InvoicesTarget{
		Status:  apiclient.InvoiceOverdue,
		PastDue: views.PastDue{Name: figures.BucketLabels[bucket] + " past due", From: days[0], To: days[1]},
	}
	if bucket == 0 {
		to.Status, to.PastDue.Name = apiclient.InvoiceSent, "not past due"
	}
	return to
}

// customers returns the number of rows in the customers table. It returns 0 if the table is hidden.
func (s *Screen) customers() int {
	a, ok := s.data.Aging.Value()
	if !ok || !s.data.Aging.State().HasFigures() || s.page() == 0 {
		return 0
	}
	return len(a.TopOverdue)
}

// page returns how many rows of the customers table are visible at once.
func (s *Screen) page() int { return max(0, s.arrange().customers-tableFrame) }

// syncView discards the drawn page, moves the selection into the table and into view, and updates
// the enabled keys. It is called after every change of state.
func (s *Screen) syncView() {
	s.cache.Invalidate()
	n, page := s.customers(), s.page()
	s.selected = max(0, min(s.selected, n-1))
	s.offset = max(0, min(s.offset, s.selected, n-page))
	s.offset = max(s.offset, s.selected-page+1)
	figures := s.data.Aging.State().HasFigures() && s.arrange().buckets > 0
	if !figures {
		s.bucket = 0
	}
	s.next.SetEnabled(figures)
	s.previous.SetEnabled(figures)
	s.nav.EnableMoves(n > 0)
	s.nav.Open.SetEnabled(n > 0 || s.bucket > 0)
	s.nav.Open.SetHelp("enter", "customer's invoices")
	if s.bucket > 0 {
		s.nav.Open.SetHelp("enter", "bucket's invoices")
	}
	s.copy.SetEnabled(s.data.Aging.State().HasFigures())
	s.export.SetEnabled(s.data.Aging.State().HasFigures())
	s.overdue.SetEnabled(s.data.Aging.State().HasFigures())
}

func (s *Screen) move(press tea.KeyPressMsg) {
	s.bucket = 0
	if rows, ok := s.nav.LineMove(press, max(1, s.page())); ok {
		s.selected += rows
		s.syncView()
	}
}

// View draws the page.
func (s *Screen) View() string {
	return s.cache.Text(func() []string {
		lines := s.question.Below(s.theme, panel.Box(s.draw(), s.width, s.height), s.width)
		if s.file.Open() && len(lines) > 0 {
			lines[len(lines)-1] = listdetail.Fit(s.file.Draw(), s.width)
		}
		return lines
	})
}
