package spending

import (
	"testing"

	"tarmac/client/figures"
)

// More net is less cost of a vendor, and more money from a customer.
func TestAChangeIsToldByTheDirectionOfItsMoney(t *testing.T) {
	for _, c := range []struct {
		kind          Kind
		before, after int64
		want          string
	}{
		{Down, -100, -150, "cost more"}, {Up, -150, -100, "cost less"}, {Up, -150, 0, "cost less"},
		{Up, 100, 150, "paid more"}, {Down, 150, 100, "paid less"}, {Up, 0, 150, "paid more"},
		{Up, -100, 50, "cost less"}, {Up, -50, 100, "paid more"},
		{Down, 50, -100, "cost more"}, {Down, 100, -50, "paid less"},
		{New, 0, -100, "new"}, {Gone, -100, 0, "stopped"}, {NotDue, -100, 0, "none that month"},
		{Unclear, 0, 0, "unclear"}, {KindRest, -100, -150, ""}, {KindNet, -100, -150, ""},
	} {
		change := Change{Kind: c.kind, Before: figures.Total{Minor: c.before}, After: figures.Total{Minor: c.after}}

		if got := change.Words(); got != c.want {
			t.Errorf("%s from %d to %d is %q, not %q", c.kind, c.before, c.after, got, c.want)
		}
	}
}
