package chart

import (
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// MostAhead is the maximum number of future months in a chart of cash. A runway of ten years would
// squeeze the history.
const MostAhead = 24

// CashOf returns the chart of past cash at the end of each month, up to the last known day, and of
// today's spendable cash reduced by the monthly net burn. It returns false if the past cash is
// unknown.
func CashOf(c figures.Cash, months []figures.Month) (Cash, bool) {
	ends := c.MonthEnds(months)
	if len(ends) == 0 || ends[len(ends)-1].Unknown {
		return Cash{}, false
	}
	line := Cash{Currency: c.Position.Currency, Today: civil.Of(c.Position.AsOf)}
	for i, m := range months {
		day := m.First.LastOfMonth()
		if i == len(months)-1 {
			if day, _ = c.KnownTo(); day.Before(m.First) {
				break
			}
		}
		line.Past = append(line.Past, Point{Day: day, Cents: ends[i].Minor, Unknown: ends[i].Unknown})
		if i > 0 && ends[i-1].Mark() != figures.NoMark {
			line.PartialBefore = day
		}
	}
	line.Ahead, line.Zero = atBurn(c, line.Today)
	return line, true
}

// atBurn returns the spendable cash at the net burn, and the day on which it is used up.
func atBurn(c figures.Cash, today civil.Date) (points []Point, zero civil.Date) {
	if c.Runway == nil || c.Spendable.Unknown {
		return nil, civil.Date{}
	}
	left := c.Spendable.Minor
	points = []Point{{Day: today, Cents: left}}
	if day, ok := c.ZeroDay(); ok && c.Runway.Tenths() <= MostAhead*10 {
		return append(points, Point{Day: day}), day
	}
	for range MostAhead {
		var ok bool
		if left, ok = money.Add(left, -c.NetBurn.Minor); !ok {
			return nil, civil.Date{}
		}
	}
	return append(points, Point{Day: today.AddMonths(MostAhead), Cents: left}), civil.Date{}
}
