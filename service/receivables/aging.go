package receivables

import (
	"cmp"
	"errors"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// ErrOverflow is returned when a total does not fit in 64 bits of cents.
var ErrOverflow = errors.New("the receivables add up to more than can be counted")

// MaxTopCustomers bounds Aging.TopOverdue.
const MaxTopCustomers = 10

// Aging is what is owed, by days past due, in USD cents. Outstanding is the sum
// of Buckets, and Overdue is Outstanding without the current bucket. Items
// without a USD amount count in the counts and in Unconverted, and in no sum.
type Aging struct {
	OutstandingCents int64
	OverdueCents     int64
	Count            int64
	OverdueCount     int64
	Unconverted      int64
	Buckets          Buckets
	TopOverdue       []Customer
}

// Buckets are USD cents by days past due: not yet due, and four ages.
type Buckets struct{ Current, Days1To30, Days31To60, Days61To90, DaysOver90 int64 }

// Customer is what one customer owes past due, in USD cents.
type Customer struct {
	Name              string
	OverdueCents      int64
	OverdueCount      int64
	OldestDaysPastDue int
}

// Age sorts open items into buckets by their due date as of today (UTC): an item
// due today is current, and one without a due date never falls overdue. Items
// that nothing is owed on any more are left out, whatever their currency. The customers with the most
// overdue come first, then the older debt, then by name; a customer goes by the
// name of its longest overdue item.
func Age(items []Open, today civil.Date) (Aging, error) {
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
		if !item.USDKnown {
			aging.Unconverted++
			continue
		}
		var ok bool
		if aging.OutstandingCents, ok = money.Add(aging.OutstandingCents, item.USDCents); !ok {
			return Aging{}, ErrOverflow
		}
		// Everything below is a part of the outstanding sum and fits where that fits.
		*aging.Buckets.of(late) += item.USDCents
		if late > 0 {
			aging.OverdueCents += item.USDCents
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

func daysPastDue(item Open, today civil.Date) int {
	if item.Due.IsZero() {
		return 0
	}
	return max(0, today.DaysSince(item.Due))
}

func (b *Buckets) of(daysPastDue int) *int64 {
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

func addOverdue(customers map[string]*Customer, item Open, late int) {
	c := customers[item.CustomerKey]
	if c == nil {
		c = &Customer{}
		customers[item.CustomerKey] = c
	}
	c.OverdueCents += item.USDCents
	c.OverdueCount++
	// Names of one age are told apart by themselves, so that the order of the
	// items does not show.
	if late > c.OldestDaysPastDue || late == c.OldestDaysPastDue && item.CustomerName < c.Name {
		c.OldestDaysPastDue, c.Name = late, item.CustomerName
	}
}
