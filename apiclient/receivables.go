package apiclient

import (
	"context"
	"encoding/json"
	"time"

	"tarmac/internal/money"
)

// ReceivablesAging holds the open receivables by days past due, in minor units of Currency
// (docs/api.md, Receivables, Aging buckets). Only Currency and Buckets are always present; other
// fields may be nil or empty.
type ReceivablesAging struct {
	Currency   string
	OrgID      string
	AsOf       *time.Time // in UTC
	Buckets    AgingBuckets
	Totals     AgingTotals
	TopOverdue []OverdueCustomer // in the order in which the server sends them
	// Imported holds the imported lists of open invoices. It is nil if the organization has no own
	// books.
	Imported *ImportedReceivables
}

// AgingBuckets holds the open balances by days past due, in minor units.
type AgingBuckets struct {
	CurrentCents    int64 // not yet due
	Days1To30Cents  int64
	Days31To60Cents int64
	Days61To90Cents int64
	Days90PlusCents int64 // 91 days and more
}

// AgingTotals holds the totals that the server sends. A nil field was not sent.
type AgingTotals struct {
	OutstandingCents *int64
	OverdueCents     *int64
	InvoiceCount     *int64
	OverdueCount     *int64
	UnconvertedCount *int64 // number of receivables without an exchange rate, which all sums leave out
}

// OverdueCustomer is a customer with overdue invoices. A nil field was not sent.
type OverdueCustomer struct {
	Name              string
	OverdueCents      *int64
	OverdueCount      *int64
	OldestDaysPastDue *int64
}

// Overdue returns the sum of all past-due buckets. It returns false if the sum overflows an int64.
func (b AgingBuckets) Overdue() (int64, bool) {
	return sum(b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents)
}

// Outstanding returns the sum of all buckets. It returns false if the sum overflows an int64.
func (b AgingBuckets) Outstanding() (int64, bool) {
	return sum(b.CurrentCents, b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents)
}

func sum(figures ...int64) (total int64, ok bool) {
	for _, n := range figures {
		if total, ok = money.Add(total, n); !ok {
			return 0, false
		}
	}
	return total, true
}

// Empty reports whether no customer owes anything.
func (a *ReceivablesAging) Empty() bool {
	if a.Buckets != (AgingBuckets{}) || len(a.TopOverdue) > 0 {
		return false
	}
	for _, n := range []*int64{a.Totals.OutstandingCents, a.Totals.OverdueCents, a.Totals.InvoiceCount,
		a.Totals.OverdueCount, a.Totals.UnconvertedCount} {
		if n != nil && *n != 0 {
			return false
		}
	}
	return true
}

// ReceivablesAging returns the open receivables by days past due.
func (c *Client) ReceivablesAging(ctx context.Context) (*ReceivablesAging, error) {
	return fetch(ctx, c, read("/receivables/aging", nil), (*object).aging)
}

func (o *object) aging(f *fields) ReceivablesAging {
	var currency json.RawMessage
	consume(o, &currency, "currency")
	aging := ReceivablesAging{
		Currency: f.currency("currency", currency),
		OrgID:    o.text("org_id", "organization_id"),
		AsOf:     o.timestamp("as_of"),
		Totals:   agingTotals(o),
		Buckets:  agingBuckets(f, o),
	}
	var customers []object
	consume(o, &customers, "top_overdue_customers", "top_overdue", "overdue_customers", "top_customers", "customers")
	for i := range customers {
		customer := &customers[i]
		aging.TopOverdue = append(aging.TopOverdue, OverdueCustomer{
			Name:              customer.text("customer_name", "name", "customer", "recipient_name"),
			OverdueCents:      customer.integer("overdue_cents", "amount_cents", "total_cents", "outstanding_cents"),
			OverdueCount:      customer.integer("overdue_count", "invoice_count", "count"),
			OldestDaysPastDue: customer.integer("oldest_days_past_due", "days_past_due", "max_days_past_due"),
		})
	}
	var imported object
	if consume(o, &imported, "imported") {
		aging.Imported = imported.importedReceivables(aging.Currency)
	}
	return aging
}

// agingBuckets reads the buckets from an object of their own or, without one, from the response's
// top level.
func agingBuckets(f *fields, response *object) AgingBuckets {
	within := ""
	if nested := (object{}); consume(response, &nested, "buckets", "aging", "aging_buckets") {
		response, within = &nested, "buckets."
	}
	bucket := func(name string) int64 { return required(f, within+name, response.integer(name)) }
	return AgingBuckets{
		CurrentCents:    bucket("current_cents"),
		Days1To30Cents:  bucket("days_1_30_cents"),
		Days31To60Cents: bucket("days_31_60_cents"),
		Days61To90Cents: bucket("days_61_90_cents"),
		Days90PlusCents: bucket("days_90_plus_cents"),
	}
}

// agingTotals reads the totals from an object of their own or, without one, from the response's top
// level.
func agingTotals(response *object) AgingTotals {
	if nested := (object{}); consume(response, &nested, "totals", "total", "summary") {
		response = &nested
	}
	return AgingTotals{
		OutstandingCents: response.integer("outstanding_cents", "total_outstanding_cents", "total_cents"),
		OverdueCents:     response.integer("overdue_cents", "total_overdue_cents"),
		InvoiceCount:     response.integer("invoice_count", "open_count", "count"),
		OverdueCount:     response.integer("overdue_count"),
		UnconvertedCount: response.integer("unconverted_count"),
	}
}
