package receivables

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/saveas"
)

// text returns the page as plain text for the clipboard: the labelled figures and their dates.
func (s *Screen) text() string {
	a, _ := s.data.Aging.Value()
	state, now, at := s.data.Aging.State(), s.env.Now(), fact.WithDate("as of", a.AsOf)
	if a.AsOf == nil {
		read := s.data.Aging.LoadedAt()
		at = fact.WithDate("updated", &read)
	}
	sections := []string{fact.Section("Aged receivables, USD", at, state, emptyText, now, func() []string {
		lines := fact.TextLines(append(s.totals(a), fact.AgingBuckets(s.theme, a)...))
		return append(lines, fact.Explained(0, figures.AgingOf(a).Excluded)...)
	})}
	if len(a.TopOverdue) > 0 {
		sections = append(sections, fact.Section("Top overdue customers", at, state, emptyText, now, func() []string {
			var lines []string
			c := customerColumns(a, 0)
			for i, customer := range a.TopOverdue {
				lines = append(lines, nameOf(customer)+": "+c.amounts[i]+", invoices "+count(customer.OverdueCount)+
					", days past due of the oldest "+count(customer.OldestDaysPastDue))
			}
			return lines
		}))
	}
	return strings.Join(sections, "\n")
}

// buckets returns the table to export: a row for each bucket, as in tarmac aging --csv.
func (s *Screen) buckets() saveas.Table {
	a, _ := s.data.Aging.Value()
	rows := record.AgingBuckets(a)
	return saveas.Table{Sample: rows[0], Records: rows, What: plural.Count(len(rows), "bucket")}
}
