package figures

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// BucketNames are the names of the aging buckets in the API. BucketLabels are their ranges of days
// past due, in the same order.
var (
	BucketNames  = [...]string{"current", "days_1_30", "days_31_60", "days_61_90", "days_90_plus"}
	BucketLabels = [...]string{"Not due", "1–30 days", "31–60 days", "61–90 days", "Over 90 days"}
)

// BucketDays are the first and the last day past due of the aging buckets, in the order of
// BucketNames. Receivables that are not due yet have negative days past due, or 0.
var BucketDays = [...][2]int{{-1 << 30, 0}, {1, 30}, {31, 60}, {61, 90}, {91, 1 << 30}}

// DaysPastDue returns by how many days something with a due date is past due on the given day. It
// returns 0 without a due date, and a negative number before it.
func DaysPastDue(due, on civil.Date) int {
	if due.IsZero() {
		return 0
	}
	return on.DaysSince(due)
}

// BucketOf returns the index, in BucketNames, of the aging bucket of a receivable that is the given
// number of days past due.
func BucketOf(daysPastDue int) int {
	bucket := 0
	for bucket < len(BucketDays)-1 && daysPastDue > BucketDays[bucket][1] {
		bucket++
	}
	return bucket
}

// OldestBucket returns the index, in BucketNames, of the oldest bucket with receivables, or 0 if
// nothing is outstanding.
func (a Aging) OldestBucket() int {
	for i, b := range slices.Backward(a.Buckets[:]) {
		if b.Minor != 0 {
			return i
		}
	}
	return 0
}

// Aging holds totals of open receivables in one currency. Excluded is the number of receivables
// without an exchange rate. They may belong to any bucket and any customer.
type Aging struct {
	Outstanding, Overdue Total
	Buckets              [5]Total // by days past due, in ascending order
	Shares               []int64  // percentages of the buckets, in tenths of a percent; nil if meaningless
	Customers            []Total  // overdue amounts of the customers in TopOverdue
	Excluded             int64
}

// AgingOf returns the totals of a response. If the server did not send a total, AgingOf adds up the
// buckets. If no open receivable has a rate, all totals are unknown.
func AgingOf(a *apiclient.ReceivablesAging) Aging {
	b, t := a.Buckets, a.Totals
	cents := [...]int64{b.CurrentCents, b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents}
	aging := Aging{Shares: Shares(cents[:])}
	if t.UnconvertedCount != nil {
		aging.Excluded = max(0, *t.UnconvertedCount)
	}
	all := t.InvoiceCount != nil && aging.Excluded >= *t.InvoiceCount
	none := aging.Excluded > 0 && all && b == (apiclient.AgingBuckets{})
	reason := ""
	if a.Empty() && HasNoList(a) {
		none, reason = true, noList
	}
	sum := func(cents int64, known bool) Total {
		return Total{
			Minor: cents, Currency: a.Currency, Excluded: aging.Excluded, Receivables: true,
			Unknown: !known || none && cents == 0, Reason: reason,
		}
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
		one := Total{Currency: a.Currency, Unknown: true}
		if c.OverdueCents != nil {
			one = sum(*c.OverdueCents, true)
		}
		aging.Customers = append(aging.Customers, one)
	}
	return aging
}

// BucketCents returns the amounts of the buckets in minor units, for charts.
func (a Aging) BucketCents() []int64 {
	cents := make([]int64, 0, len(a.Buckets))
	for b := range slices.Values(a.Buckets[:]) {
		cents = append(cents, b.Minor)
	}
	return cents
}

// ShareOf returns the share of a bucket in the outstanding total.
func (a Aging) ShareOf(bucket int) Share {
	if a.Shares == nil {
		return Share{}
	}
	return Share{Tenths: a.Shares[bucket], Known: true, Whole: a.Outstanding}
}

// Share returns the percentage of a bucket in the outstanding total, such as "62.1%". With excluded
// receivables it returns "~62.1%". It returns "" if there are no percentages.
func (a Aging) Share(bucket int) string {
	if a.Shares == nil {
		return ""
	}
	return a.ShareOf(bucket).String()
}

// OverdueShare returns the percentage of overdue receivables in the outstanding total, in the same
// form as Share.
func (a Aging) OverdueShare() string {
	if a.Shares == nil {
		return ""
	}
	return Share{Tenths: 1000 - a.Shares[0], Known: true, Whole: a.Outstanding}.String()
}
