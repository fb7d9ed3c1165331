package assistant

import (
	"context"
	"time"

	"tarmac/client/figures"
)

// Receivables are open invoices and imported open items by days past due.
type Receivables struct {
	AsOf         *time.Time       `json:"as_of" jsonschema:"UTC"`
	Outstanding  Amount           `json:"outstanding"`
	Overdue      Amount           `json:"overdue"`
	Count        *int64           `json:"count" jsonschema:"open invoices; null if the server does not say"`
	OverdueCount *int64           `json:"overdue_count" jsonschema:"overdue invoices; null if the server does not say"`
	Buckets      []AgingBucket    `json:"buckets"`
	MostOverdue  []OverdueAccount `json:"most_overdue" jsonschema:"the customers with the largest overdue amounts"`
	ListAsOf     string           `json:"list_as_of,omitempty" jsonschema:"day of the imported list of open invoices"`
}

// AgingBucket is what is owed for a range of days past due.
type AgingBucket struct {
	Name   string `json:"name"`
	Days   string `json:"days_past_due"`
	Amount Amount `json:"amount"`
}

// OverdueAccount is what a customer owes past due.
type OverdueAccount struct {
	Customer          Untrusted `json:"customer"`
	Overdue           Amount    `json:"overdue"`
	Count             *int64    `json:"count"`
	OldestDaysPastDue *int64    `json:"oldest_days_past_due"`
}

// GetReceivables returns what customers owe.
func GetReceivables(ctx context.Context, source Source) (*Receivables, error) {
	a, err := source.ReceivablesAging(ctx)
	if err != nil {
		return nil, err
	}
	sums := figures.AgingOf(a)
	r := &Receivables{
		AsOf: plausible(a.AsOf), Outstanding: totalOf(sums.Outstanding), Overdue: totalOf(sums.Overdue),
		Count: a.Totals.InvoiceCount, OverdueCount: a.Totals.OverdueCount, MostOverdue: []OverdueAccount{},
		ListAsOf: figures.ListDay(a),
	}
	if sums.Outstanding.Reason != "" {
		r.Count, r.OverdueCount = nil, nil
	}
	for i, bucket := range sums.Buckets {
		r.Buckets = append(r.Buckets, AgingBucket{
			Name: figures.BucketNames[i], Days: figures.BucketLabels[i], Amount: totalOf(bucket),
		})
	}
	for i, customer := range a.TopOverdue {
		r.MostOverdue = append(r.MostOverdue, OverdueAccount{
			Customer: untrusted(customer.Name), Overdue: totalOf(sums.Customers[i]),
			Count: customer.OverdueCount, OldestDaysPastDue: customer.OldestDaysPastDue,
		})
	}
	return r, nil
}
