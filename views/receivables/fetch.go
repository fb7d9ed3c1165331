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

// Show moves the cursor to the customer of a views.ReceivablesTarget, and returns the command that
// fetches the invoices if that is due.
func (s *Screen) Show(target any) tea.Cmd {
	if t, ok := target.(views.ReceivablesTarget); ok {
		s.layers.Cancel()
		s.sought = t.Customer
		s.setSearch("")
		s.findSought()
	}
	return s.fetchDue()
}

// Refresh returns the command that fetches the invoices again, or nil while a request is pending.
func (s *Screen) Refresh() tea.Cmd { return s.invoices.Fetch() }

// Fetched returns the fetch state of the invoices.
func (s *Screen) Fetched() []resource.State { return []resource.State{s.invoices.State()} }

// fetchDue returns the command that fetches the invoices if the page is visible and that is due.
func (s *Screen) fetchDue() tea.Cmd {
	if !s.visible {
		return nil
	}
	return s.invoices.FetchDue()
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
