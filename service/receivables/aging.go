package receivables

import (
	"cmp"
	"errors"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// ErrOverflow is returned if a total does not fit into 64 bits of cents.
var ErrOverflow = errors.New("the receivables add up to more than can be counted")

// MaxTopCustomers is the largest number of customers in Aging.TopOverdue.
const MaxTopCustomers = 10

// Aging holds the totals of receivables by days past due, in USD cents.
type Aging struct {
	OutstandingCents int64 // sum of all Buckets
	OverdueCents     int64 // sum of all Buckets except Current
	Count            int64
	OverdueCount     int64
	Unconverted      int64 // number of items whose amount in the currency is not known, which are in no total
	Buckets          Buckets
	TopOverdue       []Customer
}

// Buckets holds the totals in USD cents by days past due. Current holds what is not past due.
type Buckets struct{ Current, Days1To30, Days31To60, Days61To90, DaysOver90 int64 }

// Customer holds the totals of one customer's overdue items, in USD cents.
type Customer struct {
	Name              string
	OverdueCents      int64
	OverdueCount      int64
	OldestDaysPastDue int
}

// Age computes the aging of open items on the day today (UTC). Items due today and items without a
// due date are current. Items with nothing left to pay are ignored. TopOverdue is ordered by the
// overdue amount, then by the age of the oldest item, then by name. A customer has the name that is
// on its oldest overdue item.
func Age(items []OpenItem, today civil.Date) (Aging, error) {
	aging := Aging{TopOverdue: []Customer{}}
	customers := map[string]*Customer{}
	for _, item := range items {
		if item.OpenMinor <= 0 {
			continue
		}
		late := daysPastDue(item, today)
		aging.Count++
		if late > 0 {
			aging.OverdueCount++
		}
		if !item.Known {
			aging.Unconverted++
			continue
		}
		var ok bool
		if aging.OutstandingCents, ok = money.Add(aging.OutstandingCents, item.Cents); !ok {
			return Aging{}, ErrOverflow
		}
		// The other sums cannot overflow, because they are parts of OutstandingCents.
		*aging.Buckets.bucket(late) += item.Cents
		if late > 0 {
			aging.OverdueCents += item.Cents
			addOverdue(customers, item, late)
		}
	}
	for _, c := range customers {
		aging.TopOverdue = append(aging.TopOverdue, *c)
	}
	slices.SortFunc(aging.TopOverdue, func(a, b Customer) int {
		return cmp.Or(
			cmp.Compare(b.OverdueCents, a.OverdueCents),
			cmp.Compare(b.OldestDaysPastDue, a.OldestDaysPastDue),
			cmp.Compare(a.Name, b.Name),
			cmp.Compare(b.OverdueCount, a.OverdueCount),
		)
	})
	aging.TopOverdue = aging.TopOverdue[:min(len(aging.TopOverdue), MaxTopCustomers)]
	return aging, nil
}

func daysPastDue(item OpenItem, today civil.Date) int {
	if item.Due.IsZero() {
		return 0
	}
	return max(0, today.DaysSince(item.Due))
}

func (b *Buckets) bucket(daysPastDue int) *int64 {
	switch {
	case daysPastDue <= 0:
		return &b.Current
	case daysPastDue <= 30:
		return &b.Days1To30
	case daysPastDue <= 60:
		return &b.Days31To60
	case daysPastDue <= 90:
		return &b.Days61To90
	}
	return &b.DaysOver90
}

func addOverdue(customers map[string]*Customer, item OpenItem, late int) {
	c := customers[item.CustomerKey]
	if c == nil {
		c = &Customer{}
		customers[item.CustomerKey] = c
	}
	c.OverdueCents += item.Cents
	c.OverdueCount++
	// Of equally old items, the one with the alphabetically first name counts. The result therefore
	// does not depend on the order of the items.
	if late > c.OldestDaysPastDue || late == c.OldestDaysPastDue && item.CustomerName < c.Name {
		c.OldestDaysPastDue, c.Name = late, item.CustomerName
	}
}
