package answer

import (
	"context"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/record"
)

// Receivables says what customers owe, by days past due, and who owes the largest overdue amounts.
func Receivables(ctx context.Context, s Source) (*Doc, error) {
	a, err := s.ReceivablesAging(ctx)
	if err != nil {
		return nil, err
	}
	o := record.Aging(a)
	buckets := record.AgingBuckets(a)
	d := &Doc{Whole: o, Rows: tableOf(buckets[0], buckets, func(o *record.Object) record.Object { return *o })}
	customers := &Table{Title: "Top overdue customers", None: figures.NoneOverdue(a)}
	field := o.Get("top_overdue_customers")
	described, _ := field.Objects()
	for i, c := range described {
		customers.Rows = append(customers.Rows, Row{Object: c, Of: a.TopOverdue[i]})
	}
	d.Parts = []Part{{Facts: o.Without("top_overdue_customers")}, {Table: customers}}
	return d, nil
}

// Customers says how customers pay and what is open, in the order in which to remind them. With
// onlyOverdue it leaves out those with nothing overdue.
func Customers(ctx context.Context, s Source, onlyOverdue bool) (*Doc, error) {
	read, err := collections.Read(ctx, s)
	if err != nil {
		return nil, err
	}
	aging, err := s.ReceivablesAging(ctx)
	if err != nil {
		return nil, err
	}
	today := s.today()
	d := list(&Table{Sample: record.Customer(&collections.Customer{}), None: figures.NoCustomers(aging)})
	for _, c := range collections.WithAging(collections.Customers(read.Invoices, today), aging, today) {
		if !onlyOverdue || c.OverdueCount() > 0 {
			d.Rows.Rows = append(d.Rows.Rows, Row{Object: record.Customer(&c), Open: reminder(c), Of: c})
		}
	}
	if onlyOverdue && !figures.HasNoList(aging) {
		d.Rows.None, d.IsFiltered = figures.NoneOverdue(aging), true
	}
	d.Title = figures.Excluded(0, figures.AgingOf(aging).Excluded, aging.Currency)
	d.Summary = []string{collections.Meaning,
		"Overdue is what the server's aging says. Listed is the total of the invoices, before part payments."}
	if day := figures.ListDay(aging); day != "" && len(d.Rows.Rows) > 0 {
		d.note("Imported invoices are of the list as of " + day + ".")
	}
	d.note(read.Missing())
	n, first := apiclient.CountUnreadable(read.Invoices)
	d.Unreadable = problem.UnreadableRows(n, "invoice", first)
	return d, nil
}

// reminder returns the question for the text of a reminder.
func reminder(c collections.Customer) Question {
	return func(context.Context, Source) (*Doc, error) {
		text := c.Reminder()
		switch {
		case c.IsImported:
			return nil, &InputError{Text: c.Name + ": " + collections.NoNumbers}
		case text == "":
			return nil, &InputError{Text: c.Name + " has no overdue invoices"}
		}
		to := c.Email
		if to == "" {
			to = "a customer without an e-mail address"
		}
		return &Doc{Title: "Reminder to " + to + ", for your own mail; nothing is sent.",
			Parts: []Part{{Remarks: strings.Split(strings.TrimRight(text, "\n"), "\n")}}}, nil
	}
}
