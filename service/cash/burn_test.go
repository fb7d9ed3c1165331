package cash_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tarmac/service/cash"
)

// A company that is not known to break even is never said to. Few rows without a rate are left out
// of an estimate, and named.
func TestRowsWithoutARateNeverMakeACompanyBreakEven(t *testing.T) {
	const none = "No estimate: "
	for name, c := range map[string]struct {
		flow       cash.Flow
		burning    bool
		sufficient bool
		note       string
	}{
		"nothing known": {cash.Flow{Rows: 12, Unconverted: 12, UnconvertedOut: 9}, false, false, none + "12 of 12"},
		"one of ten":    {cash.Flow{OutflowCents: 900, Rows: 10, Unconverted: 1}, true, true, "About 33.3 months"},
		"one of nine":   {cash.Flow{OutflowCents: 900, Rows: 9, Unconverted: 1}, false, false, none + "1 of 9"},
		"income only": {cash.Flow{InflowCents: 900, Rows: 10, Unconverted: 1}, false, true,
			"Not burning: cash flow was positive"},
		"costs without a rate": {cash.Flow{InflowCents: 900, Rows: 10, Unconverted: 1, UnconvertedOut: 1}, false, false,
			none + "1 of 10"},
		"even but for costs": {cash.Flow{Rows: 40, Unconverted: 4, UnconvertedOut: 1}, false, false, none + "4 of 40"},
		"even but for income": {cash.Flow{Rows: 40, Unconverted: 4}, false, true,
			"Not burning: cash flow was even"},
		"more than there are": {cash.Flow{OutflowCents: 9, Rows: 1, Unconverted: math.MaxInt64}, false, false, none},
	} {
		whole := feed(10_000, 0, 0)
		whole.Flow = c.flow
		linked := feed(0, 0, 0)
		ofFeeds, err := cash.Estimate(cash.Input{
			Currency: "USD", Today: today, AccountOpen: true, Feeds: []cash.Feed{whole, linked},
		})
		if err != nil {
			t.Fatal(err)
		}
		ofBooks, err := cash.EstimateBooks(cash.BooksInput{
			Currency:     "USD",
			SettledCents: 10_000, SpendableCents: 10_000,
			Flow: c.flow, Months: 3, Window: "2026-08 to 2026-10", Sufficient: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		for whose, p := range map[string]cash.Position{"feeds": ofFeeds, "books": ofBooks} {
			if p.IsBurning != c.burning || p.Sufficient != c.sufficient || !strings.HasPrefix(p.Note.String(), c.note) ||
				(p.RunwayTenths != nil) != c.burning || (p.MonthlyBurnCents > 0) != c.burning {
				t.Errorf("%s of %s: %+v", name, whose, p)
			}
			const months = "transactions of 2026-08 to 2026-10 have no USD rate."
			if strings.HasPrefix(c.note, none) && !strings.Contains(p.Note.String(), months) {
				t.Errorf("%s of %s does not name the months: %s", name, whose, p.Note)
			}
		}
	}
}

func TestCashIsUnknownWhenEveryBalanceButZerosLacksARate(t *testing.T) {
	empty, some := feed(0, 0, 300), feed(1400, 0, 300)
	if _, err := cash.Estimate(cash.Input{
		Currency: "USD",
		Today:    today, AccountOpen: true, Feeds: []cash.Feed{empty}, UnconvertedBalance: 1,
	}); !errors.Is(err, cash.ErrNoRate) {
		t.Errorf("a balance without a rate beside an empty account: %v", err)
	}
	p, err := cash.Estimate(cash.Input{
		Currency: "USD",
		Today:    today, AccountOpen: true, Feeds: []cash.Feed{some}, UnconvertedBalance: 1,
	})
	if err != nil || p.CashCents != 1400 ||
		!strings.Contains(p.Note.String(), "1 linked balance has no USD rate and is excluded.") {
		t.Errorf("beside a known balance: %+v, %v", p, err)
	}
}
