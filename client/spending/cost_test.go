package spending_test

import (
	"math"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

func TestTheCostOfAMonthIsComparedWithTheMonthBefore(t *testing.T) {
	usd := func(dollars int64) figures.Total { return figures.Total{Minor: dollars * 100, Currency: "USD"} }
	of := func(name string, now, before int64) spending.MonthOf {
		return spending.MonthOf{name, usd(now), usd(before)}
	}
	partial := of("Cloud", 9_000, 4_000)
	partial.Now.Excluded = 2
	uncovered := of("Cloud", 9_000, 4_000)
	uncovered.Before.Uncovered = true
	large := spending.MonthOf{"Cloud", figures.Total{Minor: math.MaxInt64, Currency: "USD"}, usd(1)}
	for name, test := range map[string]struct {
		all       []spending.MonthOf
		direction apiclient.Direction
		want      string
	}{
		"more": {[]spending.MonthOf{of("Payroll", 219_600, 204_400), of("Rent", 20_000, 20_000), of("Cloud", 9_000, 4_000)},
			apiclient.Outflow, "October cost $249k, $20.2k more than September. Most: Payroll +$15.2k, Cloud +$5.0k."},
		"less, and three at most": {
			[]spending.MonthOf{of("A", 0, 900), of("B", 500, 0), of("C", 0, 600), of("D", 0, 700), of("E", 3_000, 3_000)},
			apiclient.Outflow, "October cost $3.5k, $1.7k less than September. Most: A -$900, D -$700, C -$600."},
		"about as much": {[]spending.MonthOf{of("Rent", 20_100, 20_000)}, apiclient.Outflow,
			"October cost $20.1k, about as much as September."},
		"income": {[]spending.MonthOf{of("Hooli", 9_000, 4_000)}, apiclient.Inflow,
			"October brought in $9.0k, $5.0k more than September. Most: Hooli +$5.0k."},
		"rows left out": {[]spending.MonthOf{partial}, apiclient.Outflow,
			"October cost about $9.0k, $5.0k more than September. Most: Cloud +$5.0k."},
		"too large to add up":      {[]spending.MonthOf{large, large}, apiclient.Outflow, ""},
		"days without a statement": {[]spending.MonthOf{uncovered}, apiclient.Outflow, ""},
		"nobody":                   {nil, apiclient.Outflow, ""},
	} {
		if got := spending.CostText(test.all, test.direction, civil.New(2026, 10, 1)); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
