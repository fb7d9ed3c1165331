package recurrence

import (
	"testing"

	"tarmac/internal/civil"
)

func TestMonthsAreThoseOfTheCalendar(t *testing.T) {
	for index := range 12 * 230 {
		first := epoch.AddMonths(index)
		if got := date(firstOfMonth(index)); got != first {
			t.Fatalf("month %d begins on %s, not on %s", index, got, first)
		}
		for _, day := range []civil.Date{first, first.LastOfMonth()} {
			if got := monthIndex(number(day)); got != index {
				t.Fatalf("%s is in month %d, not %d", day, got, index)
			}
		}
		if got := date(dayOfMonth(index, 31)); got != first.LastOfMonth() {
			t.Fatalf("day 31 of %s is %s", first, got)
		}
	}
}
