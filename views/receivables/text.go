package receivables

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/saveas"
)

// text returns the page as plain text for the clipboard: the labelled figures and their dates.
func (s *Screen) text() string {
	a, _ := s.Snapshot.Aging.Value()
	state, now, at, emptyText := s.Snapshot.Aging.State(), s.Now(), s.asOf(time.Time{}), s.emptyText()
	title := figures.InCurrency("Aged receivables", a.Currency)
	sections := []string{fact.Section(title, at, state, emptyText, now, func() []string {
		lines := fact.TextLines(append(s.totals(a), fact.AgingBuckets(s.Theme, a)...))
		return append(lines, fact.Explained(0, figures.AgingOf(a).Excluded, a.Currency)...)
	})}
	if s.customers.Len() > 0 {
		sections = append(sections, fact.Section(s.customersTitle(true), at, state, emptyText, now, func() []string {
			var lines []string
			for _, c := range s.customers.All() {
				lines = append(lines, fmt.Sprintf("%s: %s overdue, invoices %d, days late %d, usually %s, expected %s", nameOf(&c),
					c.OwedText(), c.OverdueCount(), c.DaysLate(), c.UsualText(), c.ExpectedText()))
			}
			return append(lines, collections.Meaning)
		}))
	}
	return strings.Join(sections, "\n")
}

// buckets returns the table to export: a row for each bucket, as in tarmac aging --csv.
func (s *Screen) buckets() saveas.Table {
	a, _ := s.Snapshot.Aging.Value()
	rows := record.AgingBuckets(a)
	return saveas.Table{Sample: rows[0], Records: rows, What: plural.Count(len(rows), "bucket")}
}

// customerTable returns the shown customers as a table for export, as in tarmac remind --csv.
func (s *Screen) customerTable() saveas.Table {
	rows := make([]record.Object, s.customers.Len())
	for i := range rows {
		rows[i] = record.Customer(s.customers.Item(i))
	}
	return saveas.Table{
		Sample: record.Customer(&collections.Customer{}), Records: rows, What: plural.Count(len(rows), "customer"),
	}
}

// export opens the prompt that exports the customers, or the buckets if one of them is selected.
// While the invoices are fetched for the first time, the customers lack their habits and e-mail
// addresses. It then returns a warning instead.
func (s *Screen) export() tea.Cmd {
	if s.bucket > 0 || s.customers.Len() == 0 {
		return s.File.Ask(s.buckets, "tarmac aging", "receivables")
	}
	if _, known := s.invoices.Value(); !known && s.invoices.Waiting() {
		return views.Warn("the invoices are still being read; export the customers after that")
	}
	return s.File.Ask(s.customerTable, "tarmac remind", s.orderWords()...)
}
