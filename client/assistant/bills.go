package assistant

import (
	"context"

	"tarmac/client/figures"
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
	Total     Amount        `json:"total" jsonschema:"of all open bills"`
	PastDue   Amount        `json:"past_due"`
	Due       Amount        `json:"due" jsonschema:"due within the days, without what is past due"`
	DueDays   int           `json:"due_days"`
	Buckets   []AgingBucket `json:"buckets"`
	Bills     []Bill        `json:"bills"`
	Truncated bool          `json:"truncated" jsonschema:"there are more bills than the limit"`
	Disputed  int           `json:"disputed" jsonschema:"number of disputed bills, which are in no sum"`
}

// Bill is a bill to pay.
type Bill struct {
	Vendor      Untrusted `json:"vendor"`
	Number      Untrusted `json:"number"`
	ToPay       Amount    `json:"to_pay"`
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
		return nil, &InputError{"days must be 1 to 366"}
	}
	p, err := payables.Read(ctx, source, today)
	if err != nil {
		return nil, err
	}
	open := p.Open
	if in.Vendor != "" {
		open = payables.OfVendor(open, in.Vendor)
	}
	b := &Bills{
		Total: totalOf(p.Total), PastDue: totalOf(p.PastDue), Due: totalOf(p.Due(days)), DueDays: days,
		Bills: []Bill{}, Disputed: len(p.Disputed),
	}
	for i, bucket := range p.Buckets {
		b.Buckets = append(b.Buckets, AgingBucket{
			Name: figures.BucketNames[i], Days: figures.BucketLabels[i], Amount: totalOf(bucket),
		})
	}
	limit := limitOf(in.Limit, MaxBills)
	b.Truncated = len(open) > limit
	for _, one := range open[:min(limit, len(open))] {
		bill := Bill{
			Vendor: untrusted(one.VendorName), Number: untrusted(one.Number), ToPay: amountOf(one.Open),
			DaysPastDue: one.DaysPastDue, MayBePaid: one.MayBePaid,
		}
		if day := one.DueOn.String(); day != "" {
			bill.DueOn = &day
		}
		b.Bills = append(b.Bills, bill)
	}
	return b, nil
}
