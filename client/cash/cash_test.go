package cash_test

import (
	"context"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/figures"
)

// source answers with a position and with the number of rows of each direction without a USD rate.
type source struct {
	position apiclient.CashPosition
	rows     int64
	in, out  int64 // without a USD rate
	requests int
}

func (s *source) CashPosition(context.Context) (*apiclient.CashPosition, error) {
	return &s.position, nil
}

func (s *source) TransactionPage(_ context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
	s.requests++
	sum := apiclient.Summary{Currency: "USD", Count: s.rows, UnconvertedCount: s.in + s.out}
	if q.Direction == apiclient.Outflow {
		sum.UnconvertedCount = s.out
	}
	return &apiclient.TransactionPage{Summary: sum}, nil
}

// Money out without a USD rate could be a burn, however few rows lack one (docs/api.md, Runway
// estimate).
func TestMoneyOutWithoutARateLeavesOpenWhetherACompanyBurns(t *testing.T) {
	for name, c := range map[string]struct {
		in, out  int64
		burns    bool
		want     figures.Burning
		requests int
	}{
		"all rates":          {0, 0, false, figures.NotBurning, 1},
		"money in":           {2, 0, false, figures.NotBurning, 2},
		"one of money out":   {1, 1, false, figures.BurningUnknown, 2},
		"burning":            {1, 1, true, figures.IsBurning, 1},
		"more than a tenth":  {5, 0, false, figures.BurningUnknown, 1},
		"burning, too many":  {0, 5, true, figures.BurningUnknown, 1},
		"a tenth, all of it": {0, 4, false, figures.BurningUnknown, 2},
	} {
		months := apiclient.MonthsOf(100)
		s := &source{rows: 40, in: c.in, out: c.out, position: apiclient.CashPosition{
			Currency: "USD", AsOf: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Sufficient: true, RunwayNote: "Not burning.",
			RunwayCashCents: new(int64),
		}}
		if c.burns {
			s.position.IsBurning, s.position.MonthlyBurnCents, s.position.RunwayMonths = true, 100, &months
		}

		got, err := cash.Read(t.Context(), s)

		if err != nil || got.Burning != c.want || s.requests != c.requests {
			t.Errorf("%s: burning %d after %d requests, %v; want %d after %d", name, got.Burning, s.requests, err, c.want,
				c.requests)
		}
		if note := got.Note(); (note == "Not burning.") == (c.want == figures.BurningUnknown) {
			t.Errorf("%s: the note is %q", name, note)
		}
	}
}
