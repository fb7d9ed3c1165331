package fact

import (
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/theme"
)

// Sum returns a labelled sum. It has a mark if the sum leaves out amounts.
func Sum(t theme.Theme, label string, s figures.Total) Fact {
	if s.Unknown {
		return Unknown(t, label)
	}
	return Fact{
		Label: label, Value: figures.Unmarked(s.String()), Short: figures.Unmarked(s.Short()), Sign: s.Mark().Sign(),
		Style: t.Text,
	}
}

// Overdue returns the sum of receivables that are past due, with its percentage of all outstanding
// receivables. Its style is that of the oldest receivables.
func Overdue(t theme.Theme, a *apiclient.ReceivablesAging) Fact {
	aging := figures.AgingOf(a)
	f := Sum(t, "Overdue", aging.Overdue)
	if aging.Overdue.Unknown {
		return f
	}
	if aging.Overdue.Minor > 0 && !t.Masked {
		f.Style = t.Aging[max(1, aging.OldestBucket())].Bold(true)
	}
	f.After = aging.OverdueShare()
	return f
}

// Outstanding returns the sum of all outstanding receivables.
func Outstanding(t theme.Theme, a *apiclient.ReceivablesAging) Fact {
	return Sum(t, "Outstanding", figures.AgingOf(a).Outstanding)
}

// Count returns a labelled number. If n is nil, the value is a dash.
func Count(t theme.Theme, label string, n *int64) Fact {
	if n == nil {
		return Fact{Label: label, Value: money.Dash, Style: t.Unknown}
	}
	return Fact{Label: label, Value: money.Count(*n), Style: t.Text}
}

// AgingBuckets returns the sum of each aging bucket, with its percentage of the total.
func AgingBuckets(t theme.Theme, a *apiclient.ReceivablesAging) []Fact {
	aging := figures.AgingOf(a)
	facts := make([]Fact, len(aging.Buckets))
	for i, sum := range aging.Buckets {
		facts[i] = Sum(t, figures.BucketLabels[i], sum)
		switch {
		case sum.Unknown:
		case sum.Minor == 0:
			facts[i].Style = t.Faint
		default:
			facts[i].Style = t.Aging[i]
		}
		if share := aging.Share(i); share != "" {
			facts[i].After = fmt.Sprintf("%6s", share)
		}
	}
	return facts
}
