package collections

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/fold"
	"tarmac/internal/money"
)

// listedCustomers returns the customers of the invoices in imported lists, as they stand on the day
// today (UTC). The lists have no addresses: invoices to the same name, ignoring case, belong to one
// customer. They say what is still owed, so that all amounts are confirmed.
func listedCustomers(imported *apiclient.ImportedReceivables, today civil.Date) []Customer {
	if imported == nil {
		return nil
	}
	groups := map[string]*Customer{}
	var order []*Customer
	for i := range imported.Invoices {
		listed := &imported.Invoices[i]
		key := fold.String(listed.CustomerName)
		c := groups[key]
		if c == nil {
			c = &Customer{Name: listed.CustomerName, IsListed: true}
			groups[key] = c
			order = append(order, c)
		}
		invoice := invoiceOf(listed, today)
		c.add(&invoice, listed.Reporting, today)
	}
	all := make([]Customer, len(order))
	for i, c := range order {
		c.complete(today)
		c.Owed, c.IsConfirmed = c.Overdue, true
		all[i] = *c
	}
	return all
}

// invoiceOf returns an invoice of a list in the form of those that the API lists.
func invoiceOf(listed *apiclient.ImportedInvoice, today civil.Date) apiclient.Invoice {
	i := apiclient.Invoice{
		Number: listed.Number, Status: apiclient.InvoiceSent, RecipientName: listed.CustomerName, Total: listed.Open,
	}
	if !listed.IssuedOn.IsZero() {
		i.CreatedAt = listed.IssuedOn.Time()
	}
	if !listed.DueOn.IsZero() {
		due := listed.DueOn.Time()
		i.DueDate = &due
		if figures.DaysPastDue(listed.DueOn, today) > 0 {
			i.Status = apiclient.InvoiceOverdue
		}
	}
	if !listed.PaidOn.IsZero() {
		paid := listed.PaidOn.Time()
		i.PaidAt, i.Status = &paid, apiclient.InvoicePaid
	}
	return i
}

// rowIn returns the index of the first row of the aging that is this customer's and not taken, or
// -1. The aging computes its rows from the same invoices, and leaves out those without an exchange
// rate.
func (c *Customer) rowIn(rows []apiclient.OverdueCustomer, taken []bool) int {
	count := int64(c.OverdueCount()) - c.Owed.Excluded
	for i, row := range rows {
		if !taken[i] && fold.String(row.Name) == fold.String(c.Name) && row.OverdueCents != nil &&
			*row.OverdueCents == c.Owed.Minor && (row.OverdueCount == nil || *row.OverdueCount == count) {
			return i
		}
	}
	return -1
}

// overdueTotal returns the total of the overdue invoices, of which there is at least one, in their
// own currency. It is unknown if they have several.
func (c *Customer) overdueTotal() apiclient.Amount {
	overdue := c.OverdueInvoices()
	currency := overdue[0].Total.Currency()
	var sum int64
	for _, o := range overdue {
		minor, known := o.Total.Minor()
		total, fits := money.Add(sum, minor)
		if !known || !fits || o.Total.Currency() != currency {
			return apiclient.UnknownAmount(currency)
		}
		sum = total
	}
	return apiclient.NewAmount(sum, currency)
}
