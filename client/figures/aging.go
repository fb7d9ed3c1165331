package figures

import (
	"slices"

	"tarmac/apiclient"
)

// BucketNames are the buckets' names in the API, and BucketLabels their days past due, in
// order.
var (
	BucketNames  = [...]string{"current", "days_1_30", "days_31_60", "days_61_90", "days_90_plus"}
	BucketLabels = [...]string{"Current", "1–30 days", "31–60 days", "61–90 days", "91+ days"}
)

// Aging holds the totals of open receivables in USD. Excluded is the number of receivables without
// a USD rate, which may belong to any bucket and any customer.
type Aging struct {
	Outstanding, Overdue Total
	Buckets              [5]Total // by days past due, in order
	Shares               []int64  // of the buckets in tenths of a percent; nil if meaningless
	Customers            []Total  // the overdue amounts of the top overdue customers
	Excluded             int64
}

// AgingOf returns the totals of a response. A total that the server did not send is added up from
// its buckets. All totals are unknown if no open receivable has a USD rate.
func AgingOf(a *apiclient.ReceivablesAging) Aging {
	b, t := a.Buckets, a.Totals
	cents := [...]int64{b.CurrentCents, b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents}
	aging := Aging{Shares: Shares(cents[:])}
	if t.UnconvertedCount != nil {
		aging.Excluded = max(0, *t.UnconvertedCount)
	}
	all := t.InvoiceCount != nil && aging.Excluded >= *t.InvoiceCount
	none := aging.Excluded > 0 && all && b == (apiclient.AgingBuckets{})
	sum := func(cents int64, known bool) Total {
		return Total{Cents: cents, Excluded: aging.Excluded, Unknown: !known || none && cents == 0}
	}
	given := func(total *int64, parts func() (int64, bool)) Total {
		if total != nil {
			return sum(*total, true)
		}
		return sum(parts())
	}
	aging.Outstanding, aging.Overdue = given(t.OutstandingCents, b.Outstanding), given(t.OverdueCents, b.Overdue)
	for i, c := range cents {
		aging.Buckets[i] = sum(c, true)
	}
	for _, c := range a.TopOverdue {
		one := Total{Unknown: true}
		if c.OverdueCents != nil {
			one = sum(*c.OverdueCents, true)
		}
		aging.Customers = append(aging.Customers, one)
	}
	return aging
}

// BucketCents returns the buckets in USD cents, for charts.
func (a Aging) BucketCents() []int64 {
	cents := make([]int64, 0, len(a.Buckets))
	for b := range slices.Values(a.Buckets[:]) {
		cents = append(cents, b.Cents)
	}
	return cents
}

// Share returns a bucket's share of the outstanding total: "62.1%", "~62.1%" if receivables
// are excluded, or "" if there are no shares.
func (a Aging) Share(bucket int) string {
	if a.Shares == nil {
		return ""
	}
	return a.percent(a.Shares[bucket])
}

// OverdueShare returns the overdue share in the same form as Share.
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
