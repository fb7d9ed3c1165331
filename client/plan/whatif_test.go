package plan_test

import (
	"strings"
	"testing"
)

func TestChangesThatPeopleSupposeAreLines(t *testing.T) {
	for text, want := range map[string]string{
		`hire 2 "A; B" 9k/month from March; overdue`: `hire 2 "A; B" 9,000/month from 2027-03; overdue`,
		"burn -10":                       "burn -10%",
		"Burn +25%; overdue":             "burn +25%; overdue",
		"monthly -8,000 from 2027-03":    `budget "monthly" 8,000/month from 2027-03`,
		"monthly +5k; monthly +6k in +1": `income "monthly" 5,000/month; income "monthly 2" 6,000/month from 2026-12`,
		"once +500,000.50":               `income "once" 500,000.50 on 2026-11-21`,
		"once -$1.5M in 4 months":        `cost "once" 1,500,000 on 2027-03-01`,
		"customer 12k in mar 2027;":      `lose "customer" 12,000/month from 2027-03`,
		"monthly -8k USD":                `budget "monthly" 8,000/month`,
		`hire "x" 5 EUR/month`:           `hire "x" 5 EUR/month`,
	} {
		p := parse(t, "plan from 2026-11 in USD\n")
		with, lines, err := p.With(text, "", today)
		if got := strings.Join(lines, "; "); err != nil || got != want || len(with.Lines) != len(lines) || len(p.Lines) > 0 {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	p := parse(t, "plan from 2026-11 in USD\nhire \"once\" 1/month\ncase \"A\": overdue\n")
	with, lines, err := p.With("once +5", "B", today)
	const want = `case "B": income "once 2" 5 on 2026-11-21`
	if name, free := with.FreeCase(); err != nil || lines[0] != want || name != "C" || !free {
		t.Errorf("%q, %q, %v", lines, name, err)
	}
	for text, want := range map[string]string{
		"": "for example", ";": "for example", "burn": "expected a whole percentage", "burn -101": "expected a whole",
		"monthly 8,000": `"8,000" must`, "monthly": "for example", "monthly from january": "for example",
		"once +5 in 2026-10": "this month or a later one", "once +5 in": "must be a month", "customer 1.234567k": `"1.23`,
		"luck 5": "expected budget, hire", "overdue; luck 5": "luck 5: expected budget, hire",
		"monthly -€8k":        "in US dollars, not in euros",
		`hire "A" 1,20/month`: `"1,20" must be an amount`,
	} {
		if _, lines, err := parse(t, "plan from 2026-11 in USD\n").With(text, "", today); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q, %v; want %q", text, lines, err, want)
		}
	}
}
