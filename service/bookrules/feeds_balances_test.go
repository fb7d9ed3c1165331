package bookrules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
)

// A bank lists lines days after they are booked, and counts them on their own day or on that
// one. Whatever amounts are the same, no balance of a bank that is right contradicts the lines
// in the end.
func TestBalancesOfABankThatIsRightEndRight(t *testing.T) {
	const days = 40
	first := civil.New(2026, 10, 1)
	type bankLine struct {
		bookrules.Line
		listed, counted int
	}
	rapid.Check(t, func(t *rapid.T) {
		var lines []bankLine
		for range rapid.IntRange(1, 25).Draw(t, "lines") {
			day := rapid.IntRange(0, days).Draw(t, "day")
			listed := day + rapid.IntRange(0, 4).Draw(t, "listed")
			minor := rapid.SampledFrom([]int64{-5000, -5000, 5000, -1250, 777}).Draw(t, "amount")
			lines = append(lines, bankLine{
				read(first.AddDays(day).String(), minor, ""), listed, rapid.SampledFrom([]int{day, listed}).Draw(t, "counted"),
			})
		}
		reading := func(today int) (listed []bookrules.Line, present bookrules.FeedBalance) {
			present.Day = bookrules.DayOf(first.AddDays(today))
			for _, l := range lines {
				if l.listed <= today {
					listed = append(listed, l.Line)
				}
				if l.counted <= today {
					present.Minor += l.Minor
				}
			}
			return listed, present
		}
		var balances []bookrules.FeedBalance
		var before []bookrules.Line
		var coveredBefore []bookrules.Span
		for today := 0; ; today = min(today+rapid.IntRange(1, 4).Draw(t, "days"), days+5) {
			after, present := reading(today)
			covered := []bookrules.Span{{First: bookrules.DayOf(first.AddDays(-1)), Last: present.Day}}
			change := bookrules.FeedChange{CoveredBefore: coveredBefore, Covered: covered, Before: before, After: after}
			balances = append(bookrules.EarlierBalances(balances, present, change), present)
			before, coveredBefore = after, covered
			if today == days+5 {
				break
			}
		}

		for _, b := range balances {
			want := int64(0)
			for _, l := range lines {
				if bookrules.DayOf(l.Booked) <= b.Day {
					want += l.Minor
				}
			}
			if b.Minor != want {
				t.Fatalf("the balance of %s is %d, want %d of %v", b.Day.Date(), b.Minor, want, slices.Clone(lines))
			}
		}
	})
}
