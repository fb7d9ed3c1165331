package cash_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/readings"
	"tarmac/service/cash"
)

func TestReadingsOfUnansweredQuestions(t *testing.T) {
	base := cash.BooksInput{
		Currency:     "USD",
		SettledCents: 1_000_000, SpendableCents: 900_000, Months: 3, Window: "2026-08 to 2026-10", Sufficient: true,
		Flow: cash.Flow{InflowCents: 100_000, OutflowCents: 400_000, Rows: 20},
	}
	fromInvestor := cash.OpenQuestion{InflowCents: 150_000}
	sent := cash.OpenQuestion{OutflowCents: 300_000, IsTransfer: true}
	arrived := cash.OpenQuestion{InflowCents: 30_000, IsTransfer: true}
	within := cash.OpenQuestion{InflowCents: 50_000, OutflowCents: 50_000, IsTransfer: true}
	asItIs := readings.Reading{BurnMinor: 100_000, Tenths: 90}
	for name, test := range map[string]struct {
		edit func(*cash.BooksInput)
		open []cash.OpenQuestion
		want readings.Unanswered
	}{
		"no question": {nil, nil, readings.Unanswered{}},
		"it may be income": {nil, []cash.OpenQuestion{fromInvestor}, readings.Unanswered{
			Questions: 1, InMinor: 150_000, Low: readings.Reading{BurnMinor: 50_000, Tenths: 180}, High: asItIs,
		}},
		"all of it may be income": {nil, []cash.OpenQuestion{fromInvestor, fromInvestor}, readings.Unanswered{
			Questions: 2, InMinor: 300_000, High: asItIs,
		}},
		"a transfer of which one half is in the window": {nil, []cash.OpenQuestion{sent}, readings.Unanswered{
			Questions: 1, Transfers: 1, Low: asItIs, High: readings.Reading{BurnMinor: 200_000, Tenths: 45},
		}},
		"a transfer with both halves in the window": {nil, []cash.OpenQuestion{within}, readings.Unanswered{
			Questions: 1, Transfers: 1, Low: asItIs, High: asItIs,
		}},
		"one up, others down": {nil, []cash.OpenQuestion{sent, fromInvestor, arrived}, readings.Unanswered{
			Questions: 3, InMinor: 150_000, Transfers: 2, Low: readings.Reading{BurnMinor: 40_000, Tenths: 225},
			High: readings.Reading{BurnMinor: 200_000, Tenths: 45},
		}},
		"old months have no estimate": {
			func(in *cash.BooksInput) { in.Sufficient = false }, []cash.OpenQuestion{fromInvestor}, readings.Unanswered{},
		},
		"no months": {
			func(in *cash.BooksInput) { in.Months = 0 }, []cash.OpenQuestion{fromInvestor}, readings.Unanswered{},
		},
		"many without a rate": {
			func(in *cash.BooksInput) { in.Flow.Unconverted = 3 }, []cash.OpenQuestion{fromInvestor}, readings.Unanswered{},
		},
	} {
		in := base
		if test.edit != nil {
			test.edit(&in)
		}
		if got, err := cash.Unanswered(in, test.open); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, test.want)
		}
	}
	most := cash.OpenQuestion{InflowCents: math.MaxInt64}
	if got, err := cash.Unanswered(base, []cash.OpenQuestion{most}); !errors.Is(err, cash.ErrOverflow) {
		t.Errorf("an overflow: %+v, %v", got, err)
	}
}

// The readings are those of all combinations of answers.
func TestReadingsAreThoseOfAllAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(0, 500_000)
		in := cash.BooksInput{
			Currency:       "USD",
			SpendableCents: cents.Draw(t, "cash"), Months: 3, Sufficient: true,
			Flow: cash.Flow{InflowCents: cents.Draw(t, "in"), OutflowCents: cents.Draw(t, "out")},
		}
		open := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cash.OpenQuestion {
			return cash.OpenQuestion{
				InflowCents: cents.Draw(t, "left out in"), OutflowCents: cents.Draw(t, "left out out"), IsTransfer: true,
			}
		}), 1, 5).Draw(t, "open")

		got, err := cash.Unanswered(in, open)

		lowest, highest := int64(math.MaxInt64), int64(0)
		for answers := range 1 << len(open) {
			counted := in
			for n, q := range open {
				if answers&(1<<n) != 0 {
					counted.Flow.InflowCents += q.InflowCents
					counted.Flow.OutflowCents += q.OutflowCents
				}
			}
			p, err := cash.EstimateBooks(counted)
			if err != nil {
				t.Fatal(err)
			}
			lowest, highest = min(lowest, p.MonthlyBurnCents), max(highest, p.MonthlyBurnCents)
		}
		if err != nil || got.Low.BurnMinor != lowest || got.High.BurnMinor != highest {
			t.Fatalf("the readings are %+v, %v; want burn from %d to %d", got, err, lowest, highest)
		}
	})
}

// Payroll may be paid from an own account that isn't in the books.
func TestMuchOwnMoneyElsewhereLeavesNoSingleRunway(t *testing.T) {
	for out, single := range map[int64]bool{10_000: true, 90_000: false} {
		in := cash.BooksInput{
			Currency: "USD", SpendableCents: 900_000, Months: 3, Window: "2026-08 to 2026-10", Sufficient: true,
			Flow: cash.Flow{InflowCents: 100_000, OutflowCents: 400_000},
			Open: []cash.OpenQuestion{{OutflowCents: out, IsElsewhere: true}},
		}

		p, err := cash.EstimateBooks(in)

		if err != nil || (p.RunwayTenths != nil) != single || p.Sufficient != single || (p.NoEstimate == nil) != single {
			t.Errorf("%d: %+v, %v", out, p, err)
		}
		if u := p.Note.Facts.Unanswered; u.OutMinor != out || u.High.BurnMinor <= u.Low.BurnMinor {
			t.Errorf("%d: readings are %+v", out, u)
		}
	}
}
