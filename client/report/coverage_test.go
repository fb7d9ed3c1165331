package report_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/report"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/extension"
)

// linesOf returns the text of a report with single spaces between words.
func linesOf(t *testing.T, in report.Input) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(textOf(t, in, false)) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// Statements of June are missing, and those of August end on the 20th.
func TestMonthsThatStatementsDoNotCoverAreNoSums(t *testing.T) {
	b := company()
	b.rows = slices.DeleteFunc(b.rows, func(t apiclient.Transaction) bool {
		return t.Date.FirstOfMonth() == civil.MustParse("2026-06-01")
	})
	in := b.input()
	in.Cash.Value.Extension = extension.Covering("2026-11-21", "2026-06-01..2026-06-30", "2026-08-21..2026-08-31")

	text := linesOf(t, in)

	for _, want := range []string{
		"\n2026-09 $",               // covered
		"\n2026-08 until 20 Aug ~$", // in part
		"\n2026-06 — — — —",         // without statements
		"\n2026-05 $",               // before the gaps
		"Statements do not cover 2026-06, 2026-08-21 to 2026-08-31.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not have %q:\n%s", want, text)
		}
	}
}

func TestTheBridgeOfAMonthThatStatementsDoNotCoverHasNoChanges(t *testing.T) {
	in := company().input()
	in.Cash.Value.Extension = extension.Covering("2026-11-21", "2026-09-05..2026-09-05")

	r := report.New(in)

	for i := range r.Bridge.Changes {
		if change := r.Bridge.Changes[i].Change(); !change.Unknown {
			t.Errorf("%s changes by %s", r.Bridge.Changes[i].Name, change)
		}
	}
	if !r.Spend.Total.Average.Unknown || r.Spend.Total.Month.Unknown {
		t.Errorf("the average is %s, October %s", r.Spend.Total.Average, r.Spend.Total.Month)
	}
	if text := linesOf(t, in); !strings.Contains(text, "Statements do not cover 2026-09-05.") {
		t.Errorf("the report does not say why:\n%s", text)
	}
}
