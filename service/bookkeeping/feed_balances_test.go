package bookkeeping_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookexport"
)

func TestReadingsKeepTheLinesOfDaysBefore(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, november)
	later := reading{
		from: "2026-11-10", to: "2026-11-25", closing: "690.00", closedOn: "2026-11-25",
		lines: []feedLine{november.lines[1], {Date: "2026-11-25", Amount: "-10.00", ID: "c", Description: "Coffee"}},
	}

	report := sync(t, b, mercury, later)

	checkFeed(t, report, 1, 0, 0, 0)
	checkLedger(t, b, append(slices.Clone(novemberRows), "2026-11-25 -1000 Coffee")...)
	states, err := b.Accounts(t.Context())
	want := []ownbooks.Period{{First: civil.MustParse("2026-10-09"), Last: civil.MustParse("2026-11-25")}}
	if err != nil || !slices.Equal(states[0].Covered, want) || len(states[0].Proven) != 1 || states[0].Contradiction {
		t.Errorf("the accounts are %+v, %v", states, err)
	}
}

func TestAReadingOfEarlierDaysKeepsPendingLinesAndTheBalance(t *testing.T) {
	b := newBooks(t)
	held := feedLine{Date: "2026-11-22", Amount: "-10.00", ID: "d", Description: "Hold", Pending: true}
	sync(t, b, mercury, november.with(append(slices.Clone(november.lines), held)...))
	earlier := reading{
		from: "2026-08-25", to: "2026-10-08",
		lines: []feedLine{{Date: "2026-09-01", Amount: "-500.00", ID: "z", Description: "Landlord"}},
	}

	report := sync(t, b, mercury, earlier)

	checkFeed(t, report, 1, 0, 0, 0)
	checkCash(t, b, 70000, -1000)
}

func TestAResidualIsSaidAndRefusesNoReading(t *testing.T) {
	b := newBooks(t)
	sync(t, b, mercury, november)
	wrong := november
	wrong.to, wrong.closing, wrong.closedOn = "2026-11-23", "650.00", "2026-11-23"

	report := sync(t, b, mercury, wrong)

	want := "…6789 does not add up from 2026-11-22 to 2026-11-23: -50.00 is missing between the balances"
	if !slices.Equal(report.Feed.Residuals, []string{want}) {
		t.Errorf("residuals are %q", report.Feed.Residuals)
	}
	wrong.closing = "700.00"
	if report = sync(t, b, mercury, wrong); len(report.Feed.Residuals) > 0 {
		t.Errorf("residuals of right balances are %q", report.Feed.Residuals)
	}
}

func TestALineThatIsListedLaterThanTheBalanceIsNoResidual(t *testing.T) {
	for name, closing := range map[string]string{
		"the balance was without it": "670.00", "the balance was with it": "700.00",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBooks(t)
			sync(t, b, mercury, november)
			next := november.with(append(slices.Clone(november.lines),
				feedLine{Date: "2026-11-21", Amount: "-30.00", ID: "c", Description: "Late"})...)
			next.to, next.closing, next.closedOn = "2026-11-23", closing, "2026-11-23"

			report := sync(t, b, mercury, next)

			if len(report.Feed.Residuals) > 0 {
				t.Errorf("residuals are %q", report.Feed.Residuals)
			}
		})
	}
}

func TestJournalsOfReadingsHaveNoDifferences(t *testing.T) {
	b := newBooks(t)
	lines := slices.Clone(november.lines)
	listed := []feedLine{
		{Date: "2026-11-20", Amount: "-30.00", ID: "c", Description: "Late"},
		{Date: "2026-11-21", Amount: "-5.00", ID: "d", Description: "Also late"},
	}
	closings := []string{"700.00", "665.00", "665.00"} // the second includes a line that is not listed yet
	for n, closing := range closings {
		r := november.with(append(slices.Clone(lines), listed[:n]...)...)
		r.to, r.closing = day("2026-11-22", n), closing
		r.closedOn = r.to
		sync(t, b, mercury, r)
	}

	text, exported := export(t, b, bookexport.Hledger)

	if len(exported.Notes) > 0 || strings.Contains(text, "unexplained") {
		t.Errorf("the notes are %q of\n%s", exported.Notes, text)
	}
	checkJournals(t, b)
}
