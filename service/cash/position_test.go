package cash_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/cash"
)

func TestWindow(t *testing.T) {
	for today, want := range map[string][2]string{
		"2026-11-21": {"2026-08-01", "2026-10-31"},
		"2026-11-01": {"2026-08-01", "2026-10-31"},
		"2026-10-31": {"2026-07-01", "2026-09-30"},
		"2026-01-15": {"2025-10-01", "2025-12-31"},
		"2026-02-28": {"2025-11-01", "2026-01-31"},
		"2024-03-31": {"2023-12-01", "2024-02-29"},
	} {
		from, to := cash.Window(civil.MustParse(today))
		if from.String() != want[0] || to.String() != want[1] {
			t.Errorf("Window(%s) = %s, %s; want %v", today, from, to, want)
		}
	}
}

var (
	today = civil.MustParse("2026-11-21")
	old   = civil.MustParse("2024-01-01")
)

func feed(cents, in, out int64) cash.Feed {
	return cash.Feed{HasBalance: true, SettledCents: cents, SpendableCents: cents, FirstDay: old,
		Flow: cash.Flow{InflowCents: in, OutflowCents: out}}
}

func months(tenths int64) *int64 { return &tenths }

func TestEstimate(t *testing.T) {
	late := feed(1000, 0, 300)
	late.FirstDay = civil.MustParse("2026-08-02")
	onTime := feed(1000, 0, 300)
	onTime.FirstDay = civil.MustParse("2026-08-01")
	held := feed(1000, 0, 300)
	held.SpendableCents = 700
	noReading := cash.Feed{FirstDay: old, Flow: cash.Flow{OutflowCents: 900}}
	gaps := feed(1000, 0, 300)
	gaps.Flow.Unconverted, gaps.Flow.Rows = 4, 40
	for name, c := range map[string]struct {
		in   cash.Input
		want cash.Position
	}{
		"nothing at all": {cash.Input{}, cash.Position{Note: says("No account is open yet.")}},
		"open without history": {cash.Input{AccountOpen: true,
			Feeds: []cash.Feed{{HasBalance: true, SettledCents: 5, SpendableCents: 5}}},
			cash.Position{CashCents: 5, Note: says("Not enough history: 0 of 3 full months.")}},
		"history from a day late": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{late}},
			cash.Position{CashCents: 1000, Note: says("Not enough history: 2 of 3 full months.")}},
		"history from the very day": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{onTime}},
			cash.Position{CashCents: 1000, MonthlyBurnCents: 100, IsBurning: true, Sufficient: true,
				RunwayCashCents: months(1000), RunwayTenths: months(100),
				Note: says("About 10.0 months at the average net burn of the last 3 full months.")}},
		"burn is rounded up, runway down": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{feed(1000, 0, 301)}},
			cash.Position{CashCents: 1000, MonthlyBurnCents: 101, IsBurning: true, Sufficient: true,
				RunwayCashCents: months(1000), RunwayTenths: months(99),
				Note: says("About 9.9 months at the average net burn of the last 3 full months.")}},
		"burning a cent": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{feed(1000, 0, 1)}},
			cash.Position{CashCents: 1000, MonthlyBurnCents: 1, IsBurning: true, Sufficient: true, RunwayCashCents: months(1000),
				RunwayTenths: months(10000),
				Note:         says("About 1000.0 months at the average net burn of the last 3 full months.")}},
		"not burning": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{feed(1000, 2, 1)}},
			cash.Position{CashCents: 1000, Sufficient: true, RunwayCashCents: months(1000),
				Note: says("Not burning: cash flow was positive over the last 3 full months.")}},
		"even": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{feed(1000, 1, 1)}},
			cash.Position{CashCents: 1000, Sufficient: true, RunwayCashCents: months(1000),
				Note: says("Not burning: cash flow was even over the last 3 full months.")}},
		"held cash is no runway": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{held}},
			cash.Position{CashCents: 1000, MonthlyBurnCents: 100, IsBurning: true, Sufficient: true,
				RunwayCashCents: months(700), RunwayTenths: months(70),
				Note: says("About 7.0 months at the average net burn of the last 3 full months.")}},
		"overdrawn": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{feed(-10, 0, 300)}},
			cash.Position{CashCents: -10, MonthlyBurnCents: 100, IsBurning: true, Sufficient: true, RunwayCashCents: months(-10),
				RunwayTenths: months(0),
				Note:         says("About 0.0 months at the average net burn of the last 3 full months.")}},
		"a feed without a balance is not aligned": {cash.Input{AccountOpen: true,
			Feeds: []cash.Feed{feed(1000, 0, 300), noReading}},
			cash.Position{CashCents: 1000, MonthlyBurnCents: 100, IsBurning: true, Sufficient: true,
				RunwayCashCents: months(1000), RunwayTenths: months(100),
				Note: says("About 10.0 months at the average net burn of the last 3 full months.")}},
		"a feed without history is cash and no runway": {cash.Input{AccountOpen: true,
			Feeds: []cash.Feed{feed(1000, 0, 300), late}},
			cash.Position{CashCents: 2000, MonthlyBurnCents: 100, IsBurning: true, Sufficient: true,
				RunwayCashCents: months(1000), RunwayTenths: months(100),
				Note: says("About 10.0 months at the average net burn of the last 3 full months.")}},
		"history here, balance there": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{noReading, late}},
			cash.Position{CashCents: 1000, Sufficient: true,
				Note: says("No estimate: no account has both a balance and 3 full months of history.")}},
		"only a linked bank": {cash.Input{Feeds: []cash.Feed{feed(1000, 0, 300)}, UnconvertedBalance: 1},
			cash.Position{Note: says("No account is open yet.")}},
		"what is not counted is said": {cash.Input{AccountOpen: true, Feeds: []cash.Feed{gaps}, UnconvertedBalance: 1},
			cash.Position{CashCents: 1000, MonthlyBurnCents: 100, IsBurning: true, Sufficient: true,
				RunwayCashCents: months(1000), RunwayTenths: months(100),
				Note: says("About 10.0 months at the average net burn of the last 3 full months. 4 transactions have no USD " +
					"rate and are excluded. 1 linked balance has no USD rate and is excluded.")}},
	} {
		c.in.Today, c.in.Currency = today, "USD"
		got, err := cash.Estimate(c.in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !equal(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, describe(got), describe(c.want))
		}
	}
}

func equal(a, b cash.Position) bool { return describe(a) == describe(b) }

func describe(p cash.Position) string {
	number := func(n *int64) string {
		if n == nil {
			return "null"
		}
		return big.NewInt(*n).String()
	}
	var flags []string
	if p.IsBurning {
		flags = append(flags, "burning")
	}
	if p.Sufficient {
		flags = append(flags, "sufficient")
	}
	return strings.Join([]string{
		"cash " + number(&p.CashCents), "burn " + number(&p.MonthlyBurnCents), strings.Join(flags, " "),
		"runway cash " + number(p.RunwayCashCents), "tenths " + number(p.RunwayTenths), p.Note.String(),
	}, ", ")
}

func says(sentences string) cash.Note { return cash.Note{Estimate: sentences} }

func TestEstimateTellsOfOverflow(t *testing.T) {
	for name, feeds := range map[string][]cash.Feed{
		"cash":    {feed(math.MaxInt64, 0, 0), feed(1, 0, 0)},
		"inflow":  {feed(0, math.MaxInt64, 0), feed(0, 1, 0)},
		"outflow": {feed(0, 0, math.MaxInt64), feed(0, 0, 2)},
		"runway":  {feed(math.MaxInt64, 0, 1)},
	} {
		if p, err := cash.Estimate(cash.Input{Today: today, AccountOpen: true, Feeds: feeds}); !errors.Is(err,
			cash.ErrOverflow) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// The rules hold for any balances and flows, checked in arbitrary precision.
func TestEstimateInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := civil.Of(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "today"), 0))
		from, to := cash.Window(day)
		if from.Day() != 1 || to.MonthsSince(from) != cash.WindowMonths-1 || day.MonthsSince(to) != 1 ||
			to != to.LastOfMonth() {
			t.Fatalf("Window(%s) = %s, %s", day, from, to)
		}
		in := cash.Input{Today: day, AccountOpen: rapid.Bool().Draw(t, "open")}
		for range rapid.IntRange(0, 3).Draw(t, "feeds") {
			f := feed(rapid.Int64Range(-1e15, 1e15).Draw(t, "cash"), rapid.Int64Range(0, 1e15).Draw(t, "in"),
				rapid.Int64Range(0, 1e15).Draw(t, "out"))
			f.HasBalance = rapid.Bool().Draw(t, "reading")
			f.FirstDay = from.AddDays(rapid.IntRange(-40, 100).Draw(t, "first"))
			in.Feeds = append(in.Feeds, f)
		}
		p, err := cash.Estimate(in)
		if err != nil {
			t.Fatal(err)
		}
		if !in.AccountOpen && !equal(p, cash.Position{Note: says("No account is open yet.")}) {
			t.Fatalf("without an account: %s", describe(p))
		}
		if p.IsBurning != (p.MonthlyBurnCents > 0) {
			t.Fatalf("burning %v at a burn of %d", p.IsBurning, p.MonthlyBurnCents)
		}
		if (p.RunwayTenths != nil) != (p.IsBurning && p.Sufficient) || p.Note.String() == "" {
			t.Fatalf("%+v", p)
		}
		if in.AccountOpen && !p.Sufficient && p.NoEstimate == nil {
			t.Fatalf("there is no reason beside %q", p.Note)
		}
		if p.RunwayTenths == nil {
			return
		}
		low := new(big.Int).Mul(big.NewInt(*p.RunwayTenths), big.NewInt(p.MonthlyBurnCents))
		high := new(big.Int).Add(low, big.NewInt(p.MonthlyBurnCents))
		tenfold := new(big.Int).Mul(big.NewInt(max(0, *p.RunwayCashCents)), big.NewInt(10))
		if low.Cmp(tenfold) > 0 || high.Cmp(tenfold) <= 0 {
			t.Fatalf("%d tenths of %d at %d", *p.RunwayTenths, *p.RunwayCashCents, p.MonthlyBurnCents)
		}
	})
}
