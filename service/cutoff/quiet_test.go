package cutoff_test

import (
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/cutoff"
)

// routine returns lines of interest.
func routine(days ...string) (lines []cutoff.Line) {
	for _, d := range days {
		lines = append(lines, cutoff.Line{Day: day(d), Minor: 100, Payee: "Interest", Routine: true})
	}
	return lines
}

func TestQuietAccountsAreAssumedUnchangedUpToTheirLongestGap(t *testing.T) {
	covered := []bookrules.Span{span(day("2025-01-01"), day("2026-09-30"))}
	transfer := cutoff.Line{Day: day("2026-08-20"), Minor: -100, Payee: "Transfer", Routine: true}
	cost := cutoff.Line{Day: day("2026-01-20"), Minor: -100, Payee: "Tax office"}
	for name, test := range map[string]struct {
		lines []cutoff.Line
		want  string // last assumed day
	}{
		"interest each quarter":  {routine("2025-12-31", "2026-03-31", "2026-06-30", "2026-09-30"), "2026-12-30"},
		"interest each month":    {routine("2026-06-30", "2026-07-31", "2026-08-31", "2026-09-30"), "2026-10-30"},
		"a year of nothing":      {nil, "2027-01-08"}, // 100 days
		"interest is due":        {append(routine("2025-12-31", "2026-03-31", "2026-06-30"), transfer), ""},
		"interest has ended":     {append(routine("2025-10-31", "2025-11-30", "2025-12-31"), transfer), "2027-01-08"},
		"two transfers":          {[]cutoff.Line{{Day: day("2026-07-01"), Routine: true}, transfer}, "2027-01-08"},
		"a cost in January":      {append([]cutoff.Line{cost}, routine("2026-03-31", "2026-06-30")...), ""},
		"a cost before the year": {[]cutoff.Line{{Day: day("2025-07-01"), Minor: -5}}, "2027-01-08"},
	} {
		got, ok := cutoff.QuietDays(covered, test.lines)

		if ok != (test.want != "") || ok && (got.First != day("2026-10-01") || got.Last != day(test.want)) {
			t.Errorf("%s: %v %v, want %s", name, got, ok, test.want)
		}
	}
}

func TestAnAccountIsQuietOnlyForAsLongAsItIsKnown(t *testing.T) {
	got, ok := cutoff.QuietDays([]bookrules.Span{span(day("2026-09-01"), day("2026-09-30"))}, routine("2026-09-10"))

	if !ok || got.Last != day("2026-10-20") { // 20 days without lines
		t.Errorf("%v %v", got, ok)
	}
	for _, covered := range [][]bookrules.Span{nil, {span(day("2026-01-01"), day("2026-09-30"))}} {
		if _, ok := cutoff.QuietDays(covered, nil); ok {
			t.Errorf("an account without lines is quiet after %v", covered)
		}
	}
}
