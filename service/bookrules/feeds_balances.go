package bookrules

import "slices"

// EarlierBalances returns the balances of earlier readings that remain evidence after a reading.
// They are ordered by day, as the parameter balances. present is the balance in the reading.
//
// A provider may list a line after it has stated a balance of that day or of a later one. So a
// balance is kept if it agrees with the present one. If it does not, but agrees once the lines
// that the reading added or removed are counted, it is corrected by these lines. If it agrees in
// neither way, it is no evidence any more, and is left out.
//
// The present balance may itself count a line that is not listed yet. If that line has the
// amount of a late one, a balance agrees by chance. So a balance with late lines
// (FeedBalance.Late) is left out as soon as a reading with other late lines contradicts it.
// Balances without them remain as they are, and so do balances that the reading does not connect
// with the present one. The balance of the day of the present one is left out too.
func EarlierBalances(balances []FeedBalance, present FeedBalance, change FeedChange) []FeedBalance {
	late := change.late()
	if len(late) == 0 {
		return slices.DeleteFunc(slices.Clone(balances), func(b FeedBalance) bool { return b.Day == present.Day })
	}
	var kept []FeedBalance
	for _, b := range balances {
		sum := int64(0)
		for _, d := range late {
			if d.day <= b.Day {
				b.Late, sum = true, sum+d.minor
			}
		}
		expected, known := change.balanceOn(b.Day, present)
		switch {
		case b.Day == present.Day:
			continue
		case !b.Late || !known || b.Minor == expected:
		case b.Minor+sum == expected:
			b.Minor = expected
		default:
			continue
		}
		kept = append(kept, b)
	}
	return kept
}

// FeedChange is what a reading of a connection changes in the booked lines of an account.
type FeedChange struct {
	CoveredBefore []Span // days that earlier readings cover, as Join returns them
	Covered       []Span // days that the reading covers, as Join returns them
	Before, After []Line // lines of the covered days before and after the reading
}

// dayAmount is an amount of a day.
type dayAmount struct {
	day   Day
	minor int64
}

// late returns the amounts that the reading adds to days that earlier readings cover. Amounts that
// it removes have the opposite sign.
func (c *FeedChange) late() (amounts []dayAmount) {
	counts := map[dayAmount]int64{}
	for _, l := range c.After {
		counts[dayAmount{DayOf(l.Booked), l.Minor}]++
	}
	for _, l := range c.Before {
		counts[dayAmount{DayOf(l.Booked), l.Minor}]--
	}
	for a, count := range counts {
		if count != 0 && covers(c.CoveredBefore, a.day) {
			amounts = append(amounts, dayAmount{a.day, a.minor * count})
		}
	}
	return amounts
}

// balanceOn returns the balance at the end of a day by the present balance and the lines after the
// day. It returns false if the reading does not cover all days between them.
func (c *FeedChange) balanceOn(day Day, present FeedBalance) (int64, bool) {
	span, covered := spanOf(c.Covered, day+1)
	if day >= present.Day || !covered || span.Last < present.Day {
		return 0, false
	}
	minor := present.Minor
	for _, l := range c.After {
		if d := DayOf(l.Booked); d > day && d <= present.Day {
			minor -= l.Minor
		}
	}
	return minor, true
}
