package cash_test

import (
	"strings"
	"testing"

	"tarmac/service/cash"
	"tarmac/service/cashnote"
)

func TestRunwayOfOwnBooks(t *testing.T) {
	base := cash.BooksInput{
		Currency:     "USD",
		SettledCents: 1_000_000, SpendableCents: 900_000, Months: 3, Window: "2026-08 to 2026-10",
		Sufficient: true, Note: cash.Note{Rest: "And more.", Facts: cashnote.Facts{Forgotten: 1}},
		Flow: cash.Flow{InflowCents: 100_000, OutflowCents: 400_001},
	}
	for name, test := range map[string]struct {
		edit   func(*cash.BooksInput)
		burn   int64
		tenths int64 // -1 for none
		note   string
	}{
		"three months": {func(*cash.BooksInput) {}, 100_001, 89,
			"About 8.9 months at the average net burn of the 3 full months 2026-08 to 2026-10. And more."},
		"two months": {func(in *cash.BooksInput) { in.Months = 2 }, 150_001, 59,
			"of the 2 full months 2026-08 to 2026-10. And more."},
		"old months": {func(in *cash.BooksInput) { in.Sufficient = false }, 100_001, -1,
			"cover, 2026-08 to 2026-10, are too old. And more."},
		"no months": {func(in *cash.BooksInput) { in.Months, in.Sufficient = 0, false }, 0, -1,
			"cover no two consecutive full months. And more."},
		"not burning": {func(in *cash.BooksInput) { in.Flow.InflowCents = 500_000 }, 0, -1, "flow was positive"},
		"even":        {func(in *cash.BooksInput) { in.Flow.InflowCents = 400_001 }, 0, -1, "cash flow was even"},
		"few without a rate": {func(in *cash.BooksInput) { in.Flow.Unconverted, in.Flow.Rows = 2, 20 }, 100_001, 89,
			"2 transactions have no"},
		"many without a rate": {func(in *cash.BooksInput) { in.Flow.Unconverted, in.Flow.Rows = 2, 19 }, 0, -1,
			"No estimate: 2 of 19 transactions of 2026-08 to 2026-10 have no USD rate. And more."},
		"nothing to be spent": {func(in *cash.BooksInput) { in.SpendableCents = -5 }, 100_001, 0,
			"The spendable cash is used up. Net burn is"},
	} {
		in := base
		test.edit(&in)

		p, err := cash.EstimateBooks(in)

		tenths := int64(-1)
		if p.RunwayTenths != nil {
			tenths = *p.RunwayTenths
		}
		if err != nil || p.CashCents != 1_000_000 || p.MonthlyBurnCents != test.burn || tenths != test.tenths ||
			!strings.Contains(p.Note.String(), test.note) || !strings.HasSuffix(p.Note.String(), " [left out: forgotten=1]") {
			t.Errorf("%s: %+v (%d tenths), %v", name, p, tenths, err)
		}
		if (p.NoEstimate == nil) != p.Sufficient {
			t.Errorf("%s: the reason is %+v", name, p.NoEstimate)
		}
	}
}
