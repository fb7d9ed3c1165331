package why_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/why"
)

func TestHowLongTheCashLastsAfterBillsPastDue(t *testing.T) {
	cents := int64(100_000_00)
	position := apiclient.CashPosition{
		Currency: "USD", Sufficient: true, IsBurning: true, MonthlyBurnCents: 7_000_00, RunwayCashCents: &cents,
		AsOf: today.Time(), RunwayMonths: new(apiclient.Months),
	}
	*position.RunwayMonths = apiclient.MonthsOf(142)
	known := figures.CashOf(&position, figures.Window{})
	sum := func(minor int64, currency, mayBeLess string) figures.Total {
		return figures.Total{Minor: minor, Currency: currency, MayBeLess: mayBeLess}
	}
	for name, test := range map[string]struct {
		cash    figures.Cash
		pastDue figures.Total
		want    string
	}{
		"some": {known, sum(20_000_00, "USD", ""), "11.4 months after $20,000.00 past due to vendors."},
		"some of it may be paid": {known, sum(20_000_00, "USD", "May be paid."),
			"≥11.4 months after ≤$20,000.00 past due to vendors."},
		"more than the cash":      {known, sum(200_000_00, "USD", ""), "0.0 months after $200,000.00 past due to vendors."},
		"one tenth less":          {known, sum(700_00+300_00, "USD", ""), "14.1 months after $1,000.00 past due to vendors."},
		"no tenth less":           {known, sum(500_00, "USD", ""), ""},
		"nothing":                 {known, sum(0, "USD", ""), ""},
		"unknown":                 {known, figures.UnknownTotal("USD", figures.Gross, "No."), ""},
		"another currency":        {known, sum(1, "EUR", ""), ""},
		"no runway":               {figures.Cash{}, sum(1, "USD", ""), ""},
		"bills are not known yet": {known, figures.Total{}, ""},
	} {
		if got := why.PastDueText(&test.cash, test.pastDue); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
