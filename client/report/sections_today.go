package report

import (
	"strconv"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// asOf returns the day of a time from the server, such as "on 2026-11-22".
func asOf(at time.Time) string {
	if !figures.IsPlausible(at) {
		return "on an unknown day"
	}
	return "on " + civil.Of(at).String()
}

// receivablesSection shows today's receivables.
func (r *Report) receivablesSection(f format) section {
	s := section{ID: "receivables", Half: true, Title: "Receivables today"}
	switch {
	case !r.Aging.Known():
		return s.note(r.Aging.Problem)
	case r.Aging.Value.Empty():
		return s.note(figures.NoReceivables(r.Aging.Value))
	}
	sums := figures.AgingOf(r.Aging.Value)
	t := table{HasBars: !f.masked, Columns: []column{{Title: "Past due"}, {"Amount", true, false}, {"Share", true, false}}}
	widths := newScale(sums.BucketCents()...)
	for i, bucket := range sums.Buckets {
		bar := picture{Shapes: []shape{widths.horizontal("age"+strconv.Itoa(i), 0, bucket.Minor)}}
		cells := []string{figures.BucketLabels[i], f.total(bucket), f.share(sums.ShareOf(i))}
		t.Rows = append(t.Rows, row{Cells: cells, Bar: &bar})
	}
	t.Rows = append(t.Rows, row{Cells: []string{"Outstanding", f.total(sums.Outstanding), ""}, Total: true})
	s.Tables = []table{t}
	if day := figures.ListDay(r.Aging.Value); day != "" {
		s = s.note("List of open invoices as of " + day + ".")
	}
	day := "at an unknown time"
	if at := r.Aging.Value.AsOf; at != nil {
		day = asOf(*at)
	}
	return s.note("As computed " + day + ".").note(figures.Excluded(0, sums.Excluded, r.Aging.Value.Currency))
}

// mostOverdue is the largest number of customers with overdue invoices that a report names.
const mostOverdue = 5

// remindSection shows the customers with overdue invoices, those to remind first.
func (r *Report) remindSection(f format) section {
	s := section{ID: "remind", Half: true, Title: "Whom to remind"}
	switch {
	case !r.Aging.Known():
		return s.note(r.Aging.Problem)
	case len(r.Overdue) == 0:
		return s.note(figures.NoneOverdue(r.Aging.Value))
	}
	t := table{Columns: []column{{Title: "Customer"}, {"Overdue", true, false}, {"Days late", true, false},
		{"Usually pays", false, true}}}
	for i := range r.Overdue[:min(mostOverdue, len(r.Overdue))] {
		c := &r.Overdue[i]
		owed := f.text(c.OwedText())
		if !c.Owed.Unknown {
			owed = f.total(c.Owed)
		}
		t.Rows = append(t.Rows, row{Cells: []string{name(c.Name), owed, money.Count(int64(c.DaysLate())), c.UsualText()}})
	}
	s.Tables = []table{t}
	if n := len(r.Overdue) - len(t.Rows); n > 0 {
		s = s.note("And " + plural.Count(n, "other") + " with overdue invoices.")
	}
	s = s.note("In the order of overdue amount times days beyond what is usual for the customer: the median of its paid " +
		"and overdue invoices.")
	if n, _ := apiclient.CountUnreadable(r.Invoices.Value.Invoices); n > 0 {
		s = s.note(plural.Count(n, "invoice") + " could not be read and left out.")
	}
	return s.note(r.Invoices.Value.Missing()).note(r.Invoices.Problem)
}
