package assistant

import (
	"context"
	"strconv"

	"tarmac/client/answer"
	"tarmac/internal/civil"
)

// MaxSpendMonths is the largest value of SpendInput.Months. DefaultSpendMonths replaces 0.
const (
	MaxSpendMonths     = answer.MaxMonths
	DefaultSpendMonths = answer.DefaultMonths
)

// MaxCounterparties is the largest value of SpendInput.Limit.
const MaxCounterparties = 100

// SpendInput selects the counterparties of the last full months.
type SpendInput struct {
	Months    int    `json:"months,omitempty" jsonschema:"number of full months, compared with as many before"`
	Direction string `json:"direction,omitempty" jsonschema:"outflow for where money goes, inflow for where it comes from"`
	Limit     int    `json:"limit,omitempty" jsonschema:"most counterparties to return, largest first"`
}

// Spend are the counterparties of some full months by amount. Own transfers and financing are left
// out.
type Spend struct {
	FirstMonth     string         `json:"first_month"`
	LastMonth      string         `json:"last_month"`
	Direction      string         `json:"direction"`
	Total          Amount         `json:"total" jsonschema:"of all counterparties"`
	Counterparties []Counterparty `json:"counterparties" jsonschema:"largest total first" from:"-"`
	Others         Amount         `json:"others" jsonschema:"total of the counterparties that are not listed"`
	OthersCount    int            `json:"others_count"`
	Notes          []string       `json:"notes" from:"-"`
}

// Counterparty holds the sums of one counterparty.
type Counterparty struct {
	Name           Untrusted `json:"name" from:"counterparty_name"`
	Total          Amount    `json:"total"`
	Before         Amount    `json:"before" jsonschema:"total of as many months before"`
	Change         Amount    `json:"change"`
	MonthlyAverage Amount    `json:"monthly_average" from:"average_cents"`
	SharePercent   *float64  `json:"share_percent"`
	Payments       int       `json:"payments" from:"transaction_count"`
}

// GetSpend returns where the money goes or comes from. today is the current day in UTC.
func GetSpend(ctx context.Context, source Source, today civil.Date, in SpendInput) (*Spend, error) {
	limit := limitOf(in.Limit, MaxCounterparties)
	params := answer.SpendParams{Limit: limit}
	if in.Direction != "" {
		if err := params.Set("direction", in.Direction); err != nil {
			return nil, err
		}
	}
	if in.Months != 0 {
		if err := params.Set("months", strconv.Itoa(in.Months)); err != nil {
			return nil, err
		}
	}
	d, err := answer.Spend(ctx, sourceOf(source, today), params)
	if err != nil {
		return nil, err
	}
	s := &Spend{Notes: append([]string{"Own transfers and financing are left out."}, d.Notes...)}
	fill(s, d.Figures)
	s.Counterparties = make([]Counterparty, min(limit, len(d.Table.Rows)))
	for i := range s.Counterparties {
		fill(&s.Counterparties[i], d.Table.Rows[i].Object)
	}
	return s, nil
}
