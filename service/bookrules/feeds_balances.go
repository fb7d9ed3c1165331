package bookrules

// EarlierBalances returns the balances of earlier readings that remain evidence after a reading.
// They are ordered by day, as the parameter balances. present is the balance in the reading.
//
// A provider may list a line after it has stated a balance of that day or of a later one. So a
// balance is kept if it agrees with the present one. If it does not, but agrees once the lines that
// the reading added or removed are counted, it is corrected by these lines. If it agrees in neither
// way, it is no evidence any more, and is left out. Balances of days before the first changed line
// remain as they are, and so do balances that the reading does not connect with the present one.
// The balance of the day of the present one is left out too.
func EarlierBalances(balances []FeedBalance, present FeedBalance, change FeedChange) []FeedBalance {
	var kept []FeedBalance
	late := change.late()
	for _, b := range balances {
		changed, sum := false, int64(0)
		for _, d := range late {
			if d.day <= b.Day {
				changed, sum = true, sum+d.minor
			}
		}
		expected, known := change.balanceOn(b.Day, present)
		switch {
		case b.Day == present.Day:
			continue
		case !changed || !known || b.Minor == expected:
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

// daySum is the sum of lines of a day.
type daySum struct {
	day   Day
	minor int64
}

// late returns by how much the lines of days change that earlier readings cover.
func (c *FeedChange) late() (sums []daySum) {
	byDay := map[Day]int64{}
	for _, l := range c.After {
		byDay[DayOf(l.Booked)] += l.Minor
	}
	for _, l := range c.Before {
		byDay[DayOf(l.Booked)] -= l.Minor
	}
	for day, minor := range byDay {
		if minor != 0 && covers(c.CoveredBefore, day) {
			sums = append(sums, daySum{day, minor})
		}
	}
	return sums
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
