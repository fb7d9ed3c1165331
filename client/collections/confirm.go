package collections

import "tarmac/apiclient"

// Confirm sets IsConfirmed of the customers whose overdue amount is the same in the server's aging.
// Invoices show totals before part payments and the aging what is still owed: if the sums and the
// numbers of invoices are equal, nothing has been paid in part.
//
// The aging identifies customers only by name. A customer is therefore not confirmed if another one
// has the same name, or if any overdue invoice is not in USD.
func Confirm(customers []Customer, aging *apiclient.ReceivablesAging) {
	rows, owners := map[string][]apiclient.OverdueCustomer{}, map[string]int{}
	for _, row := range aging.TopOverdue {
		rows[row.Name] = append(rows[row.Name], row)
	}
	for i := range customers {
		for name := range customers[i].overdueNames() {
			owners[name]++
		}
	}
	for i := range customers {
		c := &customers[i]
		var found []apiclient.OverdueCustomer
		unique := true
		for name := range c.overdueNames() {
			found = append(found, rows[name]...)
			unique = unique && owners[name] == 1
		}
		c.IsConfirmed = unique && len(found) == 1 && c.owes(&found[0])
	}
}

// overdueNames returns the names on the customer's overdue invoices.
func (c *Customer) overdueNames() map[string]bool {
	names := map[string]bool{}
	for i := range c.Open {
		if c.Open[i].DaysLate > 0 {
			names[c.Open[i].RecipientName] = true
		}
	}
	return names
}

// owes reports whether the overdue invoices of the customer have the same sum and number as a row
// of the aging.
func (c *Customer) owes(row *apiclient.OverdueCustomer) bool {
	if c.Overdue.Unknown || c.Overdue.Excluded > 0 || row.OverdueCents == nil || *row.OverdueCents != c.Overdue.Cents {
		return false
	}
	return row.OverdueCount == nil || *row.OverdueCount == int64(len(c.OverdueInvoices()))
}
