package runway_test

import (
	"strings"
	"testing"

	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestTheFiguresAreCopiedWithThePlan(t *testing.T) {
	s := withPlan(t, sample.New().SnapshotWithHistory(t), lean)
	s.SetSize(80, 21)
	copied, ok := press(s.Screen, "y")().(views.Copy)
	if !ok {
		t.Fatal("nothing is copied")
	}
	for _, want := range []string{
		"Runway, as of 2026-", "\n  Cash on hand: $", "\n  Runway: ",
		"\nPlan (hypothetical), as of 2026-", "\n  P plan: ", "\n  No raise: ", "\n  A Lean: ", "Without the raise cash is",
		"\nMonths, USD, updated 2026-", " so far: in $", "on hand at end $",
	} {
		if !strings.Contains(copied.Text, want) {
			t.Errorf("it lacks %q:\n%s", want, copied.Text)
		}
	}
}
