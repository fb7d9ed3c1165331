package receivables

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/resource"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/mark"
)

// Init returns the command that fetches the invoices.
func (s *Screen) Init() tea.Cmd { return s.fetchDue() }

// Show moves the cursor to the customer of a views.ReceivablesTarget, or shows the bills to pay. It
// returns the command that fetches what is due.
func (s *Screen) Show(target any) tea.Cmd {
	if t, ok := target.(views.ReceivablesTarget); ok {
		s.showBills(t.Bills)
		if !t.Bills {
			s.sought = t.Customer
			s.setSearch("")
			s.findSought()
		}
	}
	return s.fetchDue()
}

// Refresh returns the command that fetches the invoices again, and the bills if they were fetched
// before. It returns nil while requests are pending.
func (s *Screen) Refresh() tea.Cmd {
	if s.bills.list.State().Status == resource.Loading {
		return s.invoices.Fetch()
	}
	return tea.Batch(s.invoices.Fetch(), s.bills.list.Fetch())
}

// Fetched returns the fetch states of the invoices and the bills, those of the shown side first.
func (s *Screen) Fetched() []resource.State {
	invoices, bills := s.invoices.State(), s.bills.list.State()
	switch {
	case s.paying:
		return []resource.State{bills, invoices}
	case bills.Status == resource.Loading:
		return []resource.State{invoices}
	}
	return []resource.State{invoices, bills}
}

// fetchDue returns the command that fetches the invoices, and the bills if their side is shown, if
// the page is visible and that is due.
func (s *Screen) fetchDue() tea.Cmd {
	if !s.visible {
		return nil
	}
	return tea.Batch(s.invoices.FetchDue(), s.bills.fetchDue())
}

// update computes the customers from the invoices and the aging, and keeps the selected one.
func (s *Screen) update() {
	s.today = civil.Of(s.env.Now())
	var customers []collections.Customer
	if list, known := s.invoices.Value(); known && s.invoices.State().HasFigures() {
		customers = collections.Customers(list.Invoices, s.today)
	}
	if a, known := s.data.Aging.Value(); known && s.data.Aging.State().HasFigures() {
		customers = collections.WithAging(customers, a, s.today)
	}
	s.all = customers
	s.sentence = s.answer()
	s.filter()
	s.findSought()
}

// answer says how much is overdue and whom to remind first. It returns "" if that is unknown.
func (s *Screen) answer() string {
	if !s.data.Aging.State().HasFigures() {
		return ""
	}
	owed := s.owed()
	text := why.OwedText(&owed)
	if text == "" {
		return ""
	}
	first := slices.Clone(s.all)
	slices.SortStableFunc(first, collections.ByPriority)
	return strings.TrimSpace(mark.Sentence(text) + " " + mark.Unsigned(collections.FirstText(first)))
}
