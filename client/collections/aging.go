package collections

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// WithAging compares the customers with the server's aging. It sets Owed and IsConfirmed, adds the
// customers of imported lists, as their invoices stand on the day today (UTC), and those of the
// aging that have no invoices, and returns all customers by Priority.
//
// The aging identifies customers only by name. A customer therefore gets figures of the aging only
// if exactly one row can be that customer's, and the row no other customer's.
func WithAging(customers []Customer, aging *apiclient.ReceivablesAging, today civil.Date) []Customer {
	totals, all := figures.AgingOf(aging).Customers, slices.Clone(customers)
	rows, owners := make([][]int, len(all)), make([][]int, len(aging.TopOverdue))
	listed := listedCustomers(aging.Imported, today)
	isListed := make([]bool, len(aging.TopOverdue)) // rows of customers of imported lists
	for i := range listed {
		if row := listed[i].rowIn(aging.TopOverdue, isListed); row >= 0 {
			isListed[row] = true
		}
	}
	for i := range all {
		all[i].Owed, all[i].IsConfirmed = figures.Total{Currency: aging.Currency, Unknown: true}, false
		overdue := summarize(&all[i])
		for row := range aging.TopOverdue {
			if !isListed[row] && overdue.canBe(&aging.TopOverdue[row], aging.Currency) {
				rows[i], owners[row] = append(rows[i], row), append(owners[row], i)
			}
		}
	}
	for i := range customers {
		if len(rows[i]) == 1 && len(owners[rows[i][0]]) == 1 {
			all[i].Owed = totals[rows[i][0]]
			all[i].IsConfirmed = all[i].Owed.Minor == all[i].Overdue.Minor && all[i].Overdue.Excluded == 0 &&
				all[i].Owed.Currency == all[i].Overdue.Currency
		}
	}
	taken := make([]bool, len(customers))
	for row := range aging.TopOverdue {
		if isListed[row] {
			continue
		}
		free := slices.IndexFunc(owners[row], func(i int) bool { return !taken[i] })
		if free < 0 {
			all = append(all, imported(&aging.TopOverdue[row], totals[row]))
			continue
		}
		taken[owners[row][free]] = true
	}
	all = append(all, listed...)
	slices.SortStableFunc(all, ByPriority)
	return all
}

// summary summarizes the overdue invoices of a customer that are in the currency of total.
type summary struct {
	names       map[string]bool // recipients, also of invoices in other currencies
	total       figures.Total
	count, days int64
}

func summarize(c *Customer) summary {
	s := summary{names: map[string]bool{}, total: c.Overdue}
	for _, o := range c.OverdueInvoices() {
		s.names[o.RecipientName] = true
		if o.Total.Currency() == s.total.Currency {
			s.count, s.days = s.count+1, max(s.days, int64(o.DaysLate))
		}
	}
	return s
}

// canBe reports whether a row of the aging can be about these invoices. Invoices show totals before
// part payments, and the aging what is still owed: the amount of the row is therefore not larger,
// unless it is in another currency.
// The days may differ by one, because the server may have computed the row on another day.
func (s *summary) canBe(row *apiclient.OverdueCustomer, currency string) bool {
	return s.names[row.Name] && !s.total.Unknown && row.OverdueCents != nil &&
		(currency != s.total.Currency || *row.OverdueCents <= s.total.Minor) &&
		(row.OverdueCount == nil || *row.OverdueCount == s.count) &&
		(row.OldestDaysPastDue == nil || max(*row.OldestDaysPastDue, s.days)-min(*row.OldestDaysPastDue, s.days) <= 1)
}

// imported returns a customer of the aging that has no listed invoices. The days past due of its
// other items are unknown, so Priority takes those of the oldest one for all.
func imported(row *apiclient.OverdueCustomer, owed figures.Total) Customer {
	c := Customer{Name: row.Name, IsImported: true, Owed: owed, Overdue: owed}
	c.Overdue.Unknown = true
	if row.OverdueCount != nil {
		c.importedCount = int(max(0, min(*row.OverdueCount, 1<<30)))
	}
	if row.OldestDaysPastDue != nil {
		c.importedDays = int(max(0, min(*row.OldestDaysPastDue, 1<<30)))
	}
	if !owed.Unknown {
		c.Priority = saturated(0, owed.Minor, c.importedDays)
	}
	return c
}

// OpenByAge returns the totals of the customer's open invoices in minor units of a currency, by
// aging bucket. Invoices in other currencies are left out. Totals beyond a quarter of the largest
// int64 count as that, so that sums do not overflow.
func (c *Customer) OpenByAge(currency string) []int64 {
	const most = 1 << 59
	parts := make([]int64, len(figures.BucketNames))
	if c.IsImported && c.Owed.Currency == currency {
		parts[figures.BucketOf(c.DaysLate())] = min(max(0, c.Owed.Minor), most)
	}
	for i := range c.Open {
		if minor, known := c.Open[i].amount.Minor(); known && c.Open[i].amount.Currency() == currency {
			bucket := figures.BucketOf(c.Open[i].DaysLate)
			parts[bucket] = min(parts[bucket]+min(minor, most), most)
		}
	}
	return parts
}
