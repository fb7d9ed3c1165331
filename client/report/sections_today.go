package report

import (
	"strconv"
	"time"

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

// mostDebtors is the largest number of customers in the receivables of a report.
const mostDebtors = 5

// receivablesSection shows today's receivables.
func (r *Report) receivablesSection(f format) section {
	s := section{ID: "receivables", Half: true, Title: "Receivables today"}
	switch {
	case !r.Aging.Known():
		return s.note(r.Aging.Problem)
	case r.Aging.Value.Empty():
		return s.note("Nobody owes anything.")
	}
	sums := figures.AgingOf(r.Aging.Value)
	t := table{HasBars: !f.masked, Columns: []column{{Title: "Past due"}, {"Amount", true, false}, {"Share", true, false}}}
	widths := newScale(sums.BucketCents()...)
	for i, bucket := range sums.Buckets {
		share := money.Dash
		if sums.Shares != nil {
			share = f.share(sums.Shares[i])
		}
		bar := picture{Shapes: []shape{widths.horizontal("age"+strconv.Itoa(i), 0, bucket.Cents)}}
		t.Rows = append(t.Rows, row{Cells: []string{figures.BucketLabels[i], f.total(bucket), share}, Bar: &bar})
	}
	t.Rows = append(t.Rows, row{Cells: []string{"Outstanding", f.total(sums.Outstanding), ""}, Total: true})
	s.Tables = []table{t, r.debtors(f, sums)}
	day := "at an unknown time"
	if at := r.Aging.Value.AsOf; at != nil {
		day = asOf(*at)
	}
	return s.note("As the server computed them " + day + ".").note(figures.Excluded(0, sums.Excluded))
}

// debtors lists the customers who owe the most overdue money.
func (r *Report) debtors(f format, sums figures.Aging) table {
	t := table{Columns: []column{{Title: "Overdue"}, {"Amount", true, false}, {"Invoices", true, true},
		{"Oldest", true, false}}}
	for i, c := range r.Aging.Value.TopOverdue {
		if i == mostDebtors {
			break
		}
		count, oldest := money.Dash, money.Dash
		if c.OverdueCount != nil {
			count = money.Count(*c.OverdueCount)
		}
		if c.OldestDaysPastDue != nil {
			oldest = plural.Count(*c.OldestDaysPastDue, "day")
		}
		t.Rows = append(t.Rows, row{Cells: []string{name(c.Name), f.total(sums.Customers[i]), count, oldest}})
	}
	return t
}
