package runway_test

import (
	"strings"
	"testing"

	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestTheFiguresAreCopiedWithWhatIsSupposed(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	press(s, "n", "Hire", "tab", "-10", "ctrl+s")
	copied, ok := s.Update(sample.Press("y"))().(views.Copy)
	if !ok {
		t.Fatal("nothing is copied")
	}
	for _, want := range []string{
		"Runway, as of 2026-", "\n  Cash on hand: $", "\n  Runway: ",
		"\nScenarios (hypothetical), as of 2026-", "\n  Scenario A Hire: ", "\n  Scenario A: ",
		"\nMonths, USD, updated 2026-", " so far: in $", "cash at end $",
	} {
		if !strings.Contains(copied.Text, want) {
			t.Errorf("it lacks %q:\n%s", want, copied.Text)
		}
	}
}
