package figures

import (
	"fmt"
	"math"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// KnownTo returns the day for which the cash is known: the last day that the statements of one of
// its accounts cover. stale is true if that is before yesterday; the end of cash then counts from
// it. An account whose statements end earlier counts with its last balance, and Coverage names its
// missing days. Without statements, it is the day of the position.
func (c Cash) KnownTo() (day civil.Date, stale bool) {
	if c.Position == nil || !IsPlausible(c.Position.AsOf) {
		return civil.Date{}, false
	}
	today := civil.Of(c.Position.AsOf)
	day = CoverageOf(c.Position).KnownTo(today)
	if day == today || c.Position.Extension.Coverage == nil {
		return day, day != today
	}
	for _, a := range c.Position.Extension.Coverage.Accounts {
		for _, known := range [...]*apiclient.KnownTo{a.ProvenTo, a.AssumedTo} {
			if a.State == apiclient.AccountCurrent && known != nil && known.Day.After(day) {
				day = known.Day
			}
		}
	}
	if day.AddDays(1).Compare(today) >= 0 {
		day = today
	}
	return day, day != today
}

// Today returns the cash and the runway as they are estimated for the day of the position: less net
// burn since the day for which they're known. It returns false if they're known for today, or there
// is nothing to estimate.
func (c Cash) Today() (Cash, bool) {
	day, stale := c.KnownTo()
	const monthsInYear, daysInYear = 12, 365
	if !stale || day.IsZero() || c.Runway == nil || c.Burning != IsBurning || c.NetBurn.Unknown ||
		c.Spendable.Unknown || c.OnHand.Unknown {
		return Cash{}, false
	}
	burn, months := c.NetBurn.Minor, int64(civil.Of(c.Position.AsOf).DaysSince(day))*monthsInYear
	if burn <= 0 || months <= 0 || burn > math.MaxInt64/months {
		return Cash{}, false
	}
	spent := burn * months / daysInYear
	c.OnHand.Add(-spent)
	c.Spendable.Add(-spent)
	if c.Spendable.Unknown || c.OnHand.Unknown || c.Spendable.Minor > math.MaxInt64/tenths {
		return Cash{}, false
	}
	left := apiclient.MonthsOf(max(0, c.Spendable.Minor) * tenths / burn)
	c.Runway = &left
	return c, true
}

// tenths is the number of tenths in a month of runway.
const tenths = 10

// At returns the day of the cash and the runway, such as "at 31 Oct". It returns "" if that is
// the day of the position.
func (c Cash) At() string {
	day, stale := c.KnownTo()
	if !stale {
		return ""
	}
	return "at " + shortDay(day, civil.Of(c.Position.AsOf))
}

// AsOf returns when the position was computed, as WithTime does, or the last day it is known for.
func (c Cash) AsOf(word string, now time.Time) string {
	if day, stale := c.KnownTo(); stale {
		return "Statements end on " + shortDay(day, civil.Of(c.Position.AsOf))
	}
	return WithTime(word, &c.Position.AsOf, now)
}

// BurnMonths names the months over which net burn is averaged, such as "Aug–Oct". It returns "" if
// the server does not say them.
func (c Cash) BurnMonths() string {
	if c.Position == nil || c.Position.Extension == nil || c.Position.Extension.Window == nil {
		return ""
	}
	w := c.Position.Extension.Window
	first, err := civil.Parse(w.FirstMonth + "-01")
	last, err2 := civil.Parse(w.LastMonth + "-01")
	if err != nil || err2 != nil || last.Before(first) {
		return ""
	}
	from, to := first.Month().String()[:3], last.Month().String()[:3]
	if first.Year() != last.Year() {
		from += fmt.Sprintf(" %d", first.Year())
	}
	if IsPlausible(c.Position.AsOf) && last.Year() != civil.Of(c.Position.AsOf).Year() {
		to += fmt.Sprintf(" %d", last.Year())
	}
	if first == last {
		return to
	}
	return from + "–" + to
}

// shortDay names a day, such as "31 Oct", or "31 Oct 2025" if it isn't of the year of today.
func shortDay(day, today civil.Date) string {
	if day.Year() == today.Year() {
		return day.Time().Format("2 Jan")
	}
	return day.Time().Format("2 Jan 2006")
}
