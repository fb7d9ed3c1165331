// Package collections derives from the list of invoices how punctually each customer pays, when
// open invoices will probably be paid, and whom to remind of overdue ones.
package collections

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Customer is a recipient of invoices. Invoices to the same e-mail address, ignoring case, belong
// to one customer. An invoice without an address is a customer of its own, because equal names do
// not prove that two recipients are the same.
type Customer struct {
	Name, Email string // as on the newest invoice
	Paid        int    // number of paid invoices
	// Usual is the median number of days between due date and payment, negative for early
	// payments. An overdue invoice counts with its days past due so far. Usual is valid only if
	// HasHabit is set, which takes three such invoices.
	Usual    int
	HasHabit bool
	Open     []Open        // open invoices, those due first come first
	Overdue  figures.Total // of the overdue invoices before part payments, without those in other currencies
	// Priority is the sum over the invoices in Overdue of cents times BeyondUsual. A sum that
	// overflows is the largest int64.
	Priority int64

	// The function WithAging sets the following fields.
	Owed figures.Total // what the server's aging has as overdue; unknown if it does not name the customer
	// IsConfirmed says that the invoices add up to Owed, so that none of them has been paid in
	// part. Only then may a reminder name amounts.
	IsConfirmed bool
	IsImported  bool // the customer is only in the aging and has no listed invoices
	IsListed    bool // the invoices are those of imported lists

	late          []int // days past due of the paid and overdue invoices, sorted
	most          int   // most days past due of a paid invoice
	paid          bool  // true if most is valid
	importedCount int   // number of overdue items of an imported customer
	importedDays  int   // days past due of the oldest of them
}

// Open is an open invoice.
type Open struct {
	apiclient.Invoice
	DaysLate    int // days past due; 0 if not past due or without a due date
	BeyondUsual int // days past due beyond what is usual for the customer; at least 0
	// Expected is the day of payment if the customer pays as usual: the due date plus
	// Customer.Usual, but not before today. It is zero without a due date, and for an invoice that
	// IsDoubtful.
	Expected civil.Date
	// IsDoubtful says that the invoice is overdue for longer than any that its customer has paid
	// was. Forecasts do not count on its payment.
	IsDoubtful bool

	amount apiclient.Amount // Total in the currency of Customer.Overdue; unknown in another one
}

// Customers returns the customers of a list of invoices as it stands on the day today (UTC). Those
// to remind come first, by Priority. Drafts, voided and unreadable invoices are left out.
func Customers(invoices []apiclient.Invoice, today civil.Date) []Customer {
	groups := map[string]*Customer{}
	var order []*Customer
	for i := range invoices {
		invoice := &invoices[i]
		if invoice.Unreadable != nil || !isOpen(invoice) && invoice.Status != apiclient.InvoicePaid {
			continue
		}
		key := strings.ToLower(strings.TrimSpace(invoice.RecipientEmail))
		c := groups[key]
		if c == nil || key == "" {
			c = &Customer{Name: invoice.RecipientName, Email: strings.TrimSpace(invoice.RecipientEmail)}
			c.Owed = figures.Total{Currency: apiclient.InvoiceCurrency, Unknown: true}
			groups[key] = c
			order = append(order, c)
		}
		amount := apiclient.UnknownAmount(apiclient.InvoiceCurrency)
		if invoice.Total.Currency() == amount.Currency() {
			amount = invoice.Total
		}
		c.add(invoice, amount, today)
	}
	all := make([]Customer, len(order))
	for i, c := range order {
		c.complete(today)
		all[i] = *c
	}
	slices.SortStableFunc(all, ByPriority)
	return all
}

// ByPriority compares customers by whom to remind first: by Priority, then by the overdue amount,
// then by the days past due.
func ByPriority(a, b Customer) int {
	return cmp.Or(
		cmp.Compare(b.Priority, a.Priority), cmp.Compare(b.owed(), a.owed()),
		cmp.Compare(b.DaysLate(), a.DaysLate()), cmp.Compare(a.Email, b.Email), cmp.Compare(a.Name, b.Name),
	)
}

// owed returns the overdue amount in minor units, as far as it is known.
func (c *Customer) owed() int64 { return max(c.Owed.Minor, c.Overdue.Minor) }

// isOpen reports whether money is still owed for an invoice.
func isOpen(i *apiclient.Invoice) bool {
	total, known := i.Total.Minor()
	return (i.Status == apiclient.InvoiceSent || i.Status == apiclient.InvoiceOverdue) && (!known || total > 0)
}

// add adds an invoice to its customer, with its amount in the currency of the customer's totals.
func (c *Customer) add(i *apiclient.Invoice, amount apiclient.Amount, today civil.Date) {
	c.Overdue.Currency = amount.Currency()
	if isOpen(i) {
		open := Open{Invoice: *i, amount: amount}
		if i.DueDate != nil {
			open.DaysLate = max(0, figures.DaysPastDue(civil.Of(*i.DueDate), today))
		}
		if open.DaysLate > 0 {
			c.late = append(c.late, open.DaysLate)
		}
		c.Open = append(c.Open, open)
		return
	}
	c.Paid++
	if i.DueDate == nil || i.PaidAt == nil {
		return
	}
	late := figures.DaysPastDue(civil.Of(*i.DueDate), civil.Of(*i.PaidAt))
	c.late = append(c.late, late)
	if !c.paid || late > c.most {
		c.most, c.paid = late, true
	}
}

// leastInvoices is the smallest number of invoices that make a habit.
const leastInvoices = 3

// complete computes the fields that depend on all invoices of the customer.
func (c *Customer) complete(today civil.Date) {
	slices.Sort(c.late)
	if n := len(c.late); n >= leastInvoices {
		c.Usual, c.HasHabit = c.late[(n-1)/2], true
	}
	slices.SortStableFunc(c.Open, func(a, b Open) int {
		return cmp.Or(dueOf(&a).Compare(dueOf(&b)), cmp.Compare(a.Number, b.Number))
	})
	for i := range c.Open {
		c.completeOpen(&c.Open[i], today)
	}
	c.Overdue.Unknown = c.Overdue.Unknown || c.Overdue.Excluded > 0 && c.Overdue.Minor == 0
}

func (c *Customer) completeOpen(o *Open, today civil.Date) {
	if o.DaysLate > 0 {
		o.BeyondUsual = max(0, o.DaysLate-c.Usual)
		o.IsDoubtful = !c.paid || o.DaysLate > c.most
		if cents, known := o.amount.Minor(); known {
			c.Overdue.Add(cents)
			c.Priority = saturated(c.Priority, cents, o.BeyondUsual)
		} else {
			c.Overdue.Excluded++
		}
	}
	if o.DueDate == nil || o.IsDoubtful {
		return
	}
	o.Expected = civil.Of(*o.DueDate).AddDays(c.Usual)
	if o.Expected.Before(today) {
		o.Expected = today
	}
}

// dueOf returns the due date of an open invoice, or the last day that there is without one.
func dueOf(o *Open) civil.Date {
	if o.DueDate == nil {
		return civil.New(9999, 12, 31)
	}
	return civil.Of(*o.DueDate)
}

// DaysLate returns the days past due of the oldest overdue item, or 0 if none is overdue.
func (c *Customer) DaysLate() int {
	days := c.importedDays
	for i := range c.Open {
		days = max(days, c.Open[i].DaysLate)
	}
	return days
}

// OverdueCount returns the number of overdue items.
func (c *Customer) OverdueCount() int { return c.importedCount + len(c.OverdueInvoices()) }

// OverdueInvoices returns the overdue invoices. Those due first come first.
func (c *Customer) OverdueInvoices() []Open {
	var overdue []Open
	for _, o := range c.Open {
		if o.DaysLate > 0 {
			overdue = append(overdue, o)
		}
	}
	return overdue
}

// NextExpected returns the first day on which an open invoice is expected to be paid. It returns
// the zero date if there is none.
func (c *Customer) NextExpected() civil.Date {
	var next civil.Date
	for i := range c.Open {
		if day := c.Open[i].Expected; !day.IsZero() && (next.IsZero() || day.Before(next)) {
			next = day
		}
	}
	return next
}
