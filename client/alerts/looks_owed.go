package alerts

import (
	"cmp"

	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

func overdue(a *Alert, r *Reading) look {
	if figures.HasNoList(r.Aging) {
		return unknown(figures.NoReceivables(r.Aging))
	}
	var l look
	day := "As computed today."
	if of := figures.ListDay(r.Aging); of != "" {
		day = "List of open invoices as of " + of + "."
	}
	late := 0
	for i := range r.Customers {
		c := &r.Customers[i]
		if c.OverdueCount() == 0 || !a.concerns(c.Name) {
			continue
		}
		late++
		if a.Limit != "" {
			l.addCustomer(a, c, day)
			continue
		}
		for _, o := range c.OverdueInvoices() {
			l.found = append(l.found, Finding{
				Subject: cmp.Or(o.Number, o.ID), Text: name(c.Name) + " is " +
					plural.Count(o.DaysLate, "day") + " late with invoice " + name(cmp.Or(o.Number, o.ID)) + ".",
				Basis: day, Open: "tarmac remind",
			})
		}
	}
	if l.unknown == "" {
		l.state = plural.Count(late, "customer") + " overdue"
	}
	return l
}

// addCustomer compares what a customer owes with the limit.
func (l *look) addCustomer(a *Alert, c *collections.Customer, day string) {
	owed := c.Owed
	if owed.Unknown {
		owed = c.Overdue
	}
	limit, err := a.amount.In(owed.Currency)
	switch {
	case err != nil:
		*l = unknown(limitError(a, err))
	case owed.Unknown:
	case owed.Minor > limit:
		l.found = append(l.found, Finding{
			Subject: c.Name, Text: name(c.Name) + " owes " + c.OwedText() + " past due (above " +
				money.Text(limit, owed.Currency) + "), " + plural.Count(c.DaysLate(), "day") + " late.",
			Basis: day, Open: "tarmac remind",
		})
	}
}

func billDue(a *Alert, r *Reading) look {
	if !r.Bills.Known() {
		return unknown(r.Bills.Reason())
	}
	var l look
	for _, bills := range [][]payables.Bill{r.Bills.PastDueBills(), r.Bills.DueWithin(int(a.number))} {
		for i := range bills {
			b := &bills[i]
			if !a.concerns(b.VendorName) {
				continue
			}
			number := ""
			if b.Number != "" {
				number = " " + name(b.Number)
			}
			due := "is payable on receipt"
			switch day := b.DueOn; {
			case b.DaysPastDue > 0:
				due = "was due on " + day.String() + ", " + plural.Count(b.DaysPastDue, "day") + " ago"
			case !day.IsZero():
				due = "is due on " + day.String()
			}
			total := r.Bills.Sum(bills[i : i+1])
			l.found = append(l.found, Finding{
				Subject: b.VendorName + " " + b.Number + " " + b.DueOn.String(),
				Text:    "Bill" + number + " of " + name(b.VendorName) + ", " + total.String() + ", " + due + ".",
				Open:    "tarmac bills",
			})
		}
	}
	l.state = plural.Count(len(l.found), "bill") + " due in " + plural.Count(a.number, "day") + " or past due"
	return l
}
