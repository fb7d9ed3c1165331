package assistant

import (
	"context"
	"reflect"
	"time"

	"tarmac/client/answer"
)

// Receivables are open invoices and imported open items by days past due.
type Receivables struct {
	AsOf        *time.Time `json:"as_of" jsonschema:"UTC"`
	Outstanding Amount     `json:"outstanding"`
	Overdue     Amount     `json:"overdue"`

	Count        *int64 `json:"count" jsonschema:"open invoices; null if the server does not say" from:"invoice_count"`
	OverdueCount *int64 `json:"overdue_count" jsonschema:"overdue invoices; null if the server does not say"`

	Buckets     []AgingBucket    `json:"buckets" from:"bucket_list"`
	MostOverdue []OverdueAccount `json:"most_overdue" jsonschema:"the customers with the largest overdue amounts" from:"-"`

	ListAsOf string `json:"list_as_of,omitempty" jsonschema:"day of the imported list of open invoices" from:"list_day"`
}

// AgingBucket is what is owed for a range of days past due.
type AgingBucket struct {
	Name   string `json:"name" from:"bucket"`
	Days   string `json:"days_past_due"`
	Amount Amount `json:"amount"`
}

// OverdueAccount is what a customer owes past due.
type OverdueAccount struct {
	Customer          Untrusted `json:"customer" from:"customer_name"`
	Overdue           Amount    `json:"overdue"`
	Count             *int64    `json:"count" from:"overdue_count"`
	OldestDaysPastDue *int64    `json:"oldest_days_past_due"`
}

// GetReceivables returns what customers owe.
func GetReceivables(ctx context.Context, source Source) (*Receivables, error) {
	d, err := answer.Receivables(ctx, answer.Source{Client: source})
	if err != nil {
		return nil, err
	}
	r := &Receivables{}
	fill(r, d.Object)
	customers := d.Object.Get("top_overdue_customers")
	fillList(reflect.ValueOf(&r.MostOverdue).Elem(), customers)
	return r, nil
}
