package runway_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/sample"
)

func TestWhatIsSaidInEachState(t *testing.T) {
	states := sample.States(t)
	for name, c := range map[string]struct{ want, not []string }{
		"ready": {[]string{"$2,439,188.42", "$2,372,188.42", "14.2 months · comfortable", "zero 2028-01 (est.)", "estimate",
			"History reconstructed from monthly totals.", "12 transactions have no USD rate and are excluded.",
			"2026-11 so far", "$2,580,855.08"}, []string{"stale"}},
		"stale": {[]string{"◌ stale", "$2,439,188.42", "zero 2028-01 (est.)"}, nil},
		"empty": {[]string{"No account is open yet."}, []string{"$", "zero", "⠶⠶  "}},
		"not burning": {[]string{"not burning", "cash flow was positive", "⠶⠶ cash on hand", "$2,580,855.08"},
			[]string{"zero ", "estimate)", "$0.00"}},
		"no history": {[]string{"Not enough history: 1 of 3 full months.", "A chart appears once"},
			[]string{"zero ", "⠶⠶ cash on hand", "┊"}},
		"no basis": {[]string{"No feed has both", "$167,013.11", "⠶⠶ cash on hand"},
			[]string{"zero ", "estimate)"}},
		"runway of decades": {[]string{"738.0 months", "2088-05", "Zero-cash is beyond the chart"}, []string{"▼"}},
		"not allowed":       {[]string{"account:read"}, []string{"$"}},
	} {
		s := newScreen(states[name])
		s.SetSize(120, 37)
		picture := ansi.Strip(s.View())
		for _, want := range c.want {
			if !strings.Contains(picture, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, picture)
			}
		}
		for _, not := range c.not {
			if strings.Contains(picture, not) {
				t.Errorf("%s says %q:\n%s", name, not, picture)
			}
		}
	}
}

func TestTheMonthsScrollWithinTheirRows(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	press := func(code rune, text string) string {
		s.Update(tea.KeyPressMsg{Code: code, Text: text})
		return ansi.Strip(s.View())
	}
	for _, c := range []struct {
		key             string
		first, notShown string
	}{
		{"j", "2026-10 ", "2026-11 so far"},
		{"k", "2026-11 so far", "2025-11 "},
		{"k", "2026-11 so far", "2025-11 "},
		{"G", "2025-11 ", "2026-11 so far"},
		{"j", "2025-11 ", "2026-11 so far"},
		{"g", "2026-11 so far", "2025-11 "},
	} {
		table := press(rune(c.key[0]), c.key)
		table = table[strings.Index(table, "Months, USD"):]
		if !strings.Contains(table, c.first) || strings.Contains(table, c.notShown) {
			t.Errorf("after %s: want %q and not %q in\n%s", c.key, c.first, c.notShown, table)
		}
	}
	s.SetSize(120, 37)
	for _, b := range s.Help()[1].Bindings {
		if b.Enabled() {
			t.Errorf("%s is offered though every month is shown", b.Help().Key)
		}
	}
}
