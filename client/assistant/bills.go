package assistant

import (
	"context"

	"tarmac/client/answer"
	"tarmac/client/payables"
	"tarmac/internal/civil"
)

// MaxBills is the largest value of BillsInput.Limit.
const MaxBills = 100

// BillsInput selects bills.
type BillsInput struct {
	Vendor string `json:"vendor,omitempty" jsonschema:"only vendors whose name contains this"`
	Days   int    `json:"days,omitempty" jsonschema:"days from today for the sum of what is due"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most bills to return, those past due and due first come first"`
}

// Bills are the bills of vendors that are to be paid.
type Bills struct {
	Total     Amount        `json:"total" jsonschema:"of all open bills" from:"bills_cents"`
	PastDue   Amount        `json:"past_due"`
	Due       Amount        `json:"due" jsonschema:"due within the days, without what is past due"`
	DueDays   int           `json:"due_days"`
	Buckets   []AgingBucket `json:"buckets" from:"bucket_list"`
	Bills     []Bill        `json:"bills" from:"-"`
	Truncated bool          `json:"truncated" jsonschema:"there are more bills than the limit" from:"-"`
	Disputed  int           `json:"disputed" jsonschema:"number of disputed bills, which are in no sum"`
}

// Bill is a bill to pay.
type Bill struct {
	Vendor      Untrusted `json:"vendor" from:"vendor_name"`
	Number      Untrusted `json:"number"`
	ToPay       Amount    `json:"to_pay" from:"open_minor"`
	DueOn       *string   `json:"due_on" jsonschema:"null if payable on receipt"`
	DaysPastDue int       `json:"days_past_due"`
	MayBePaid   bool      `json:"may_be_paid" jsonschema:"a person is asked whether a payment pays it"`
}

// GetBills returns the bills to pay. today is the current day in UTC.
func GetBills(ctx context.Context, source Source, today civil.Date, in BillsInput) (*Bills, error) {
	const mostDays = 366
	days := in.Days
	if days == 0 {
		days = payables.Week
	}
	if days < 0 || days > mostDays {
		return nil, &InputError{Text: "days must be 1 to 366"}
	}
	params := answer.BillsParams{Vendor: in.Vendor, Days: days}
	d, err := answer.Bills(ctx, sourceOf(source, today), params)
	if d == nil {
		return nil, err
	}
	rows, limit := d.Table.Objects(), limitOf(in.Limit, MaxBills)
	b := &Bills{Bills: make([]Bill, min(limit, len(rows))), Truncated: len(rows) > limit}
	fill(b, d.Figures)
	for i := range b.Bills {
		fill(&b.Bills[i], rows[i])
	}
	return b, nil
}
