package runway_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/extension"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
	"tarmac/views/runway"
)

func TestWhatIsSaidInEachState(t *testing.T) {
	states := sample.States(t)
	for name, c := range map[string]struct{ want, not []string }{
		"ready": {[]string{"14.2 months ° of cash, until January 2028 · comfortable (12 months or more): $2.37M ÷ $167k " +
			"net burn a month", "Cash, $M: past, and at net burn (estimate)", "▼ Jan 2028",
			"° without 12 transactions that have no USD rate", "Nov so far", "2.58"}, []string{"stale"}},
		"stale": {[]string{"◌ stale", "2.44", "▼ Jan 2028"}, nil},
		"empty": {[]string{"No account is open yet."}, []string{"zero"}},
		"not burning": {[]string{"cash flow was positive", "Cash, $M: past ", "2.58"},
			[]string{"zero ", "estimate)", "$0.00"}},
		"no history": {[]string{"Not enough history: 1 of 3 full months."},
			[]string{"zero ", "┊"}},
		"no basis": {[]string{"No feed has both", "Cash, $M: past "},
			[]string{"zero ", "estimate)"}},
		"runway of decades": {[]string{"738.0 months", "until May 2088"}, []string{"▼"}},
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

func TestTheCursorMovesInTheMonthsAndOpensTheirTransactions(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	for _, c := range []struct{ key, first, opened string }{
		{"j", "Nov so far", "2026-10-01"},
		{"k", "Nov so far", "2026-11-01"},
		{"k", "Nov so far", "2026-11-01"},
		{"G", "2026-05 ", "2025-11-01"},
		{"j", "2026-05 ", "2025-11-01"},
		{"g", "Nov so far", "2026-11-01"},
	} {
		press(s, c.key)
		table := text(s)
		table = table[strings.Index(table, "Months, $k"):]
		if row := strings.Split(table, "\n")[2]; !strings.Contains(row, c.first) {
			t.Errorf("after %s, the first row is %q", c.key, row)
		}
		visit, ok := press(s, "enter")().(views.Visit)
		target, _ := visit.Target.(views.TransactionsTarget)
		if !ok || visit.Screen != views.Transactions || target.From.String() != c.opened ||
			target.To != target.From.LastOfMonth() {
			t.Errorf("after %s, enter opens %+v", c.key, visit)
		}
	}
}

func TestAClickSelectsAMonthAndASecondOneOpensIt(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	y := lineOf(t, s, "2026-08 ")

	if cmd := s.Click(10, y); cmd != nil {
		t.Fatal("the first click opens the month")
	}
	cmd := s.Click(10, y)
	if cmd == nil {
		t.Fatal("the second click opens nothing")
	}
	if visit, ok := cmd().(views.Visit); !ok || visit.Target.(views.TransactionsTarget).From.String() != "2026-08-01" {
		t.Errorf("it opens %+v", visit)
	}
	for _, at := range [][2]int{{-1, y}, {10, 0}, {119, y}, {10, 36}} {
		if s.Click(at[0], at[1]) != nil {
			t.Errorf("a click at %v opens a month", at)
		}
	}
}

// lineOf returns the line of the page that contains text.
func lineOf(t *testing.T, s *runway.Screen, want string) int {
	for y, line := range strings.Split(text(s), "\n") {
		if strings.Contains(line, want) {
			return y
		}
	}
	t.Fatalf("no %q in\n%s", want, text(s))
	return 0
}

// The amounts of a column have one unit, which its head names, and each mark stands once.
func TestMonthsHaveOneUnitAndFewMarks(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	for want, line := range map[string]string{
		"Nov so far": "Nov so far 159 301 -142 2.44 14.2", "2026-09 ": "2026-09 ° 295 375 -80 2.69 —",
	} {
		got := strings.Join(strings.Fields(strings.Split(text(s), "\n")[lineOf(t, s, want)]), " ")
		if !strings.Contains(got, line) {
			t.Errorf("the line is %q, want %q", got, line)
		}
	}
}

func TestAMonthAfterTheStatementsHasNoCashOfItsOwn(t *testing.T) {
	o := sample.New()
	o.Cash.Extension = extension.Covering("2026-10-31")
	s := newScreen(o.Snapshot(t))
	s.SetSize(120, 37)

	got := strings.Join(strings.Fields(strings.Split(text(s), "\n")[lineOf(t, s, "2026-11 ")]), " ")

	if !strings.Contains(got, "-142 — —") {
		t.Errorf("the line is %q", got)
	}
}
