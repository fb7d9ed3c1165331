package fact

import (
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/theme"
)

// Buckets names the buckets of the receivables by days past due, in order.
var Buckets = [...]string{"Current", "1–30 days", "31–60 days", "61–90 days", "91+ days"}

// BucketCents returns the buckets in the order of Buckets, in USD cents.
func BucketCents(b apiclient.AgingBuckets) []int64 {
	return []int64{b.CurrentCents, b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents}
}

// Overdue returns what is past due, with its share of everything outstanding. A
// server without totals has said it all the same, bucket by bucket.
func Overdue(t theme.Theme, a *apiclient.ReceivablesAging) Fact {
	cents, ok := a.Buckets.Overdue()
	if said := a.Totals.OverdueCents; said != nil {
		cents, ok = *said, true
	}
	if !ok {
		return Unknown(t, "Overdue")
	}
	f := USD(t, "Overdue", cents)
	if cents > 0 {
		f.Style = t.Warning
	}
	if shares := figures.Shares(BucketCents(a.Buckets)); shares != nil {
		f.After = figures.Percent(1000 - shares[0])
	}
	return f
}

// Outstanding returns everything that is owed.
func Outstanding(t theme.Theme, a *apiclient.ReceivablesAging) Fact {
	if said := a.Totals.OutstandingCents; said != nil {
		return USD(t, "Outstanding", *said)
	}
	if cents, ok := a.Buckets.Outstanding(); ok {
		return USD(t, "Outstanding", cents)
	}
	return Unknown(t, "Outstanding")
}

// Count returns a number of things that the server may not have said.
func Count(t theme.Theme, label string, n *int64) Fact {
	if n == nil {
		return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
	}
	return Fact{Label: label, Value: figures.Count(*n), Style: t.Text}
}

// Aged returns the buckets, each with its share.
func Aged(t theme.Theme, a *apiclient.ReceivablesAging) []Fact {
	parts := BucketCents(a.Buckets)
	shares := figures.Shares(parts)
	facts := make([]Fact, len(parts))
	for i, cents := range parts {
		facts[i] = USD(t, Buckets[i], cents)
		if facts[i].Style = t.Aging[i]; cents == 0 {
			facts[i].Style = t.Faint
		}
		if shares != nil {
			facts[i].After = fmt.Sprintf("%6s", figures.Percent(shares[i]))
		}
	}
	return facts
}
