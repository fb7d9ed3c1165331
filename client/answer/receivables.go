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
	d := &Doc{Object: o, Table: tableOf(buckets[0], buckets, func(o *record.Object) record.Object { return *o })}
	customers := &Table{Title: "Top overdue customers", Empty: figures.NoneOverdue(a)}
	field := o.Get("top_overdue_customers")
	described, _ := field.Objects()
	for i, c := range described {
		customers.Rows = append(customers.Rows, Row{Object: c, Record: a.TopOverdue[i]})
	}
	d.Sections = []Section{{Figures: o.Without("top_overdue_customers")}, {Table: customers}}
	return d, nil
}

// CustomersParams select customers.
type CustomersParams struct{ OnlyOverdue bool }

// Customers returns how customers pay and what they owe, those to remind first.
func Customers(ctx context.Context, s Source, in CustomersParams) (*Doc, error) {
	read, err := collections.Read(ctx, s)
	if err != nil {
		return nil, err
	}
	aging, err := s.ReceivablesAging(ctx)
	if err != nil {
		return nil, err
	}
	today := s.today()
	d := list(&Table{Columns: record.Customer(&collections.Customer{}), Empty: figures.NoCustomers(aging)})
	for _, c := range collections.WithAging(collections.Customers(read.Invoices, today), aging, today) {
		if !in.OnlyOverdue || c.OverdueCount() > 0 {
			d.Table.Rows = append(d.Table.Rows, Row{Object: record.Customer(&c), Open: reminder(c), Record: c})
		}
	}
	if in.OnlyOverdue && !figures.HasNoList(aging) {
		d.Table.Empty, d.IsFiltered = figures.NoneOverdue(aging), true
	}
	d.Title = figures.Excluded(0, figures.AgingOf(aging).Excluded, aging.Currency)
	d.Summary = []string{collections.Meaning,
		"Overdue is what the server's aging says. Listed is the total of the invoices, before part payments."}
	if day := figures.ListDay(aging); day != "" && len(d.Table.Rows) > 0 {
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
			Sections: []Section{{Text: strings.Split(strings.TrimRight(text, "\n"), "\n")}}}, nil
	}
}
