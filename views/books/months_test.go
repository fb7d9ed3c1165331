package books

import (
	"testing"

	"tarmac/internal/ownbooks"
)

func TestDaysOfAPeriodAreCountedInCoveredPeriods(t *testing.T) {
	covered := []ownbooks.Period{period("2026-01-10", "2026-01-20"), period("2026-02-01", "2026-02-28")}
	for _, c := range []struct {
		first, last string
		want        int
	}{
		{"2026-01-01", "2026-01-31", 11}, {"2026-02-01", "2026-02-28", 28}, {"2026-02-10", "2026-02-10", 1},
		{"2025-12-01", "2025-12-31", 0}, {"2026-03-01", "2026-03-31", 0}, {"2026-01-20", "2026-02-01", 2},
	} {
		if got := coveredDays(covered, period(c.first, c.last)); got != c.want {
			t.Errorf("%s to %s: %d days, want %d", c.first, c.last, got, c.want)
		}
	}
}
