package figures_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/extension"
)

var november = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// covered returns the coverage of a position whose gaps are written as "2026-06-01..2026-06-30".
func covered(to string, gaps ...string) figures.Coverage {
	return figures.CoverageOf(&apiclient.CashPosition{
		Currency: "USD", AsOf: november, Extension: extension.Covering(to, gaps...),
	})
}

// monthOf returns a month with money in of $10 and money out of $30 in each of its rows.
func monthOf(first string, rows int64) figures.Month {
	return figures.Month{First: civil.MustParse(first), Summary: apiclient.Summary{
		Currency: "USD", Count: rows, InflowMinor: 10_00 * rows, OutflowMinor: 30_00 * rows, NetMinor: -20_00 * rows,
	}}
}

// Where a balance is not known, the error has the extension (docs/api.md, Facts).
func TestTheErrorOfAnUnknownBalanceSaysWhichDaysAreCovered(t *testing.T) {
	today := civil.Of(november)
	refused := func(x *apiclient.Extension) error {
		return fmt.Errorf("read: %w", &apiclient.Error{
			Status: http.StatusServiceUnavailable, Message: "the balance of …1234 is not known", Extension: x,
		})
	}
	said := refused(extension.Covering("2026-11-20", "2026-05-01..2026-05-31"))

	got, silent := figures.CoverageOfError(said, today), figures.CoverageOfError(refused(nil), today)

	if !got.Equal(covered("2026-11-20", "2026-05-01..2026-05-31")) {
		t.Errorf("the coverage is %+v", got)
	}
	if !silent.Equal(figures.Coverage{}) || !figures.CoverageOfError(context.Canceled, today).Equal(silent) {
		t.Errorf("an error without facts has the coverage %+v", silent)
	}
}

func TestAMonthSaysWhichOfItsDaysAreCovered(t *testing.T) {
	for name, test := range map[string]struct {
		coverage           figures.Coverage
		first              string
		rows               int64
		name, net, because string
	}{
		"no note":         {figures.Coverage{}, "2026-10-01", 2, "2026-10", "-$40.00", ""},
		"all days":        {covered("2026-11-20"), "2026-10-01", 2, "2026-10", "-$40.00", ""},
		"up to yesterday": {covered("2026-11-21"), "2026-11-01", 2, "2026-11 so far", "-$40.00", ""},
		"without statement": {
			covered("2026-11-20", "2026-05-01..2026-10-31"), "2026-10-01", 0, "2026-10", money.Dash, "2026-10",
		},
		"of an account": {
			covered("2026-11-20", "2026-05-01..2026-10-31"), "2026-10-01", 2, "2026-10", "~-$40.00", "2026-10",
		},
		"until": {
			covered("2026-11-20", "2026-10-13..2026-10-31"), "2026-10-01", 2, "2026-10 until 12 Oct", "~-$40.00",
			"2026-10-13 to 2026-10-31",
		},
		"from": {
			covered("2026-11-20", "2024-10-01..2026-10-04"), "2026-10-01", 2, "2026-10 from 5 Oct", "~-$40.00",
			"2026-10-01 to 2026-10-04",
		},
		"in part": {
			covered("2026-11-20", "2026-10-05..2026-10-05", "2026-10-09..2026-10-09", "2026-10-12..2026-10-13"),
			"2026-10-01", 2, "2026-10 in part", "~-$40.00", "2026-10-05, 2026-10-09 and 1 more gap",
		},
		"this month": {
			covered("2026-11-12"), "2026-11-01", 2, "2026-11 until 12 Nov", "~-$40.00", "2026-11-13 to 2026-11-21",
		},
		"nothing but today": {
			covered("2026-10-28", "2026-08-26..2026-11-21"), "2026-11-01", 2, "2026-11", "~-$40.00",
			"2026-11-01 to 2026-11-21",
		},
		"until, and today": {
			covered("2026-11-21", "2026-11-13..2026-11-21"), "2026-11-01", 2, "2026-11 until 12 Nov", "~-$40.00",
			"2026-11-13 to 2026-11-21",
		},
		"a gap and later days": {
			covered("2026-10-12", "2026-10-15..2026-10-16"), "2026-10-01", 1, "2026-10 until 12 Oct", "~-$20.00",
			"2026-10-13 to 2026-10-31",
		},
	} {
		m := test.coverage.Cover([]figures.Month{monthOf(test.first, test.rows)})[0]

		net, because := m.Flows().Net, ""
		if test.because != "" {
			because = "Statements do not cover " + test.because + "."
		}
		if got := m.Name(november); got != test.name || net.String() != test.net || net.Why() != because {
			t.Errorf("%s: %q is %s (%s), want %q %s (%s)", name, got, net, net.Why(), test.name, test.net, because)
		}
	}
}

func TestTotalsOfDaysThatAreNotCoveredAreNotCompared(t *testing.T) {
	months := covered("2026-11-20", "2026-09-13..2026-09-20").Cover([]figures.Month{
		monthOf("2026-08-01", 1), monthOf("2026-09-01", 2), monthOf("2026-10-01", 3),
	})

	august, september, october := months[0].Flows().Net, months[1].Flows().Net, months[2].Flows().Net

	for _, change := range []figures.Total{figures.Difference(september, august), figures.Difference(october, september)} {
		if !change.Unknown || change.Why() != "Statements do not cover 2026-09-13 to 2026-09-20." {
			t.Errorf("the change is %s: %s", change, change.Why())
		}
	}
	if got := figures.Difference(october, august).String(); got != "-$40.00" {
		t.Errorf("the change of covered months is %s", got)
	}
}

func TestCashIsNotWalkedBackAcrossAGap(t *testing.T) {
	for name, test := range map[string]struct {
		coverage figures.Coverage
		want     string // cash at the end of August, September, October, and today
	}{
		"no gap":               {covered("2026-11-20"), "$160.00 $140.00 $120.00 $100.00"},
		"a month":              {covered("2026-11-20", "2026-10-01..2026-10-31"), "— — $120.00 $100.00"},
		"a day":                {covered("2026-11-20", "2026-09-30..2026-09-30"), "— $140.00 $120.00 $100.00"},
		"after the statements": {covered("2026-09-12"), "$160.00 ~$140.00 ~$120.00 $100.00"},
		"a later gap":          {covered("2026-09-12", "2026-10-03..2026-10-03"), "— — $120.00 $100.00"},
	} {
		months := test.coverage.Cover([]figures.Month{
			monthOf("2026-08-01", 1), monthOf("2026-09-01", 1), monthOf("2026-10-01", 1), monthOf("2026-11-01", 1),
		})

		ends, ok := figures.MonthEnds(figures.Total{Currency: "USD", Minor: 100_00, Kind: figures.Balance}, months)

		var got []string
		for _, end := range ends {
			got = append(got, end.String())
		}
		if strings.Join(got, " ") != test.want || !ok {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestRowsAreKnownUpToTheLastCoveredDay(t *testing.T) {
	today := civil.MustParse("2026-11-22")
	for to, want := range map[string]string{"": "2026-11-22", "2026-11-21": "2026-11-22", "2026-11-02": "2026-11-02"} {
		if got := covered(to, "2026-05-01..2026-05-02").KnownTo(today).String(); got != want {
			t.Errorf("covered to %q, the rows are known up to %s, want %s", to, got, want)
		}
	}
}

// A sum is shown without a mark only if every day before today is covered.
func TestASumIsExactOnlyWhereEveryDayIsCovered(t *testing.T) {
	today := civil.Of(november)
	rapid.Check(t, func(t *rapid.T) {
		uncovered := map[civil.Date]bool{}
		var gaps []string
		to := today.AddDays(-rapid.IntRange(1, 100).Draw(t, "age"))
		for day := to.AddDays(1); day.Before(today); day = day.AddDays(1) {
			uncovered[day] = true
		}
		day := civil.MustParse("2026-05-20")
		for range rapid.IntRange(0, 6).Draw(t, "gaps") {
			first := day.AddDays(rapid.IntRange(2, 50).Draw(t, "from"))
			day = first.AddDays(rapid.IntRange(0, 40).Draw(t, "days"))
			if !day.Before(today) {
				break
			}
			gaps = append(gaps, first.String()+".."+day.String())
			for d := first; !d.After(day); d = d.AddDays(1) {
				uncovered[d] = true
			}
		}
		months := make([]figures.Month, 6)
		for i := range months {
			months[i] = monthOf(civil.MustParse("2026-06-01").AddMonths(i).String(), int64(rapid.IntRange(0, 2).Draw(t, "rows")))
		}

		months = covered(to.String(), gaps...).Cover(months)

		for _, m := range months {
			all := true
			for d := m.First; !d.After(m.First.LastOfMonth()) && d.Before(today); d = d.AddDays(1) {
				all = all && !uncovered[d]
			}
			f := m.Flows()
			for _, sum := range []figures.Total{f.In, f.Out, f.Net} {
				if exact := !sum.Unknown && sum.Mark() == figures.NoMark; exact != all {
					t.Fatalf("%v is %s, all days covered %v (to %v, gaps %v)", m.First, sum, all, to, gaps)
				}
				if sum.Uncovered && m.Summary.Count == 0 && !sum.Unknown {
					t.Fatalf("%v without rows is %s", m.First, sum)
				}
			}
		}
	})
}

// All that a total leaves out is kept, whichever of it comes first.
func TestATotalKeepsAllThatItLeavesOut(t *testing.T) {
	const gap = "Statements do not cover 2026-10-05."
	left := figures.Total{Currency: "USD",
		Kind: figures.Net, Minor: 500, Excluded: 2, Undirected: 3, Unreadable: 4, Unanswered: "Two."}
	missing := covered("2026-11-20", "2026-10-05..2026-10-05").Missing(civil.New(2026, 10, 1), civil.New(2026, 10, 31))
	why := "Two. " + gap + " 2 transactions have no USD rate and are excluded. 3 transactions have an unknown direction " +
		"and are excluded. 4 transactions could not be read and are excluded."
	part := missing.Of(left, 20)
	sum := figures.Total{Currency: "USD", Kind: figures.Net}
	sum.AddPart(part)
	for name, test := range map[string]struct {
		got  figures.Total
		text string
		mark figures.Mark
	}{
		"a total":        {part, "?+$5.00", figures.Unanswered},
		"without rows":   {missing.Of(left, 0), money.Dash, figures.NoMark},
		"a sum of parts": {sum, "?+$5.00", figures.Unanswered},
		"a combination":  {figures.Combine(figures.Net, 7, part), "?+$0.07", figures.Unanswered},
		"a difference":   {figures.Difference(part, figures.Total{Currency: "USD", Minor: 100}), money.Dash, figures.NoMark},
		"nothing known":  {part.NothingKnown(5), money.Dash, figures.NoMark},
	} {
		if test.got.Why() != why || test.got.String() != test.text || test.got.Mark() != test.mark || !test.got.Uncovered {
			t.Errorf("%s: %s because %q, want %s because %q", name, test.got, test.got.Why(), test.text, why)
		}
	}
	other := figures.UnknownTotal("USD", figures.Net, "Statements do not cover 2026-09.")
	if got := missing.WhyOf(other, part); got != why {
		t.Errorf("the whole period leaves out %q, want %q", got, why)
	}
}
