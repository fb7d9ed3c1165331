package figures

import (
	"slices"

	"tarmac/apiclient"
)

// BucketNames are the buckets by the API's names, in order; BucketLabels are the days past
// due that they stand for.
var (
	BucketNames  = [...]string{"current", "days_1_30", "days_31_60", "days_61_90", "days_90_plus"}
	BucketLabels = [...]string{"Current", "1–30 days", "31–60 days", "61–90 days", "91+ days"}
)

// Aging is what customers owe, every sum with the receivables that it leaves out because
// they have no USD rate: any of them may belong to any bucket and to any customer.
type Aging struct {
	Outstanding, Overdue Sum
	Buckets              [5]Sum  // by days past due, in order
	Shares               []int64 // of the buckets, in tenths of a percent; nil where they mean nothing
	Customers            []Sum   // what those who owe the most overdue money owe
	Excluded             int64
}

// AgingOf returns the sums of an answer. A total that the server does not give is the
// sum of its buckets. All sums are unknown where every open receivable is left out.
func AgingOf(a *apiclient.ReceivablesAging) Aging {
	b, t := a.Buckets, a.Totals
	cents := [...]int64{b.CurrentCents, b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents}
	aging := Aging{Shares: Shares(cents[:])}
	if t.UnconvertedCount != nil {
		aging.Excluded = max(0, *t.UnconvertedCount)
	}
	all := t.InvoiceCount != nil && aging.Excluded >= *t.InvoiceCount
	none := aging.Excluded > 0 && all && b == (apiclient.AgingBuckets{})
	sum := func(cents int64, known bool) Sum {
		return Sum{Cents: cents, Excluded: aging.Excluded, Unknown: !known || none && cents == 0}
	}
	said := func(total *int64, parts func() (int64, bool)) Sum {
		if total != nil {
			return sum(*total, true)
		}
		return sum(parts())
	}
	aging.Outstanding, aging.Overdue = said(t.OutstandingCents, b.Outstanding), said(t.OverdueCents, b.Overdue)
	for i, c := range cents {
		aging.Buckets[i] = sum(c, true)
	}
	for _, c := range a.TopOverdue {
		one := Sum{Unknown: true}
		if c.OverdueCents != nil {
			one = sum(*c.OverdueCents, true)
		}
		aging.Customers = append(aging.Customers, one)
	}
	return aging
}

// BucketCents returns the buckets without their marks, to draw them in proportion.
func (a Aging) BucketCents() []int64 {
	cents := make([]int64, 0, len(a.Buckets))
	for b := range slices.Values(a.Buckets[:]) {
		cents = append(cents, b.Cents)
	}
	return cents
}

// Share writes a bucket's share of what is outstanding: "62.1%", "~62.1%" where some of
// that is left out; "" where shares mean nothing.
func (a Aging) Share(bucket int) string {
	if a.Shares == nil {
		return ""
	}
	return a.percent(a.Shares[bucket])
}

// OverdueShare writes the share of what is past due, as Share does.
func (a Aging) OverdueShare() string {
	if a.Shares == nil {
		return ""
	}
	return a.percent(1000 - a.Shares[0])
}

func (a Aging) percent(tenths int64) string {
	if a.Excluded > 0 {
		return Partial + Percent(tenths)
	}
	return Percent(tenths)
}
