package why

import (
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// isGone reports whether a burning company's spendable cash is used up.
func isGone(c *figures.Cash) bool {
	return c.Runway != nil && c.IsUsedUp()
}

// goneText says since when the cash is used up. l may be nil. begins is the first day whose rows
// are all known.
func goneText(c *figures.Cash, l *spending.Ledger, begins, today civil.Date) string {
	if l != nil {
		if day, ok := goneSince(c, l, begins); ok {
			return "The cash is gone since " + monthName(day, today)
		}
	}
	return "The cash is gone"
}

// goneSince returns the day on which the cash fell to zero or below, by going back from the
// present cash through the rows. It returns false if the rows don't reach back so far, or if the
// amount of one isn't known.
func goneSince(c *figures.Cash, l *spending.Ledger, begins civil.Date) (civil.Date, bool) {
	cash := c.Spendable.Minor
	for i := 0; i < len(l.Rows); {
		day := l.Rows[i].Date
		if day.Before(begins) {
			break
		}
		for ; i < len(l.Rows) && l.Rows[i].Date == day; i++ {
			minor, known := l.Rows[i].Signed()
			before, fits := money.Add(cash, -minor)
			if !known || !fits {
				return civil.Date{}, false
			}
			cash = before
		}
		if cash > 0 {
			return day, true
		}
	}
	return civil.Date{}, false
}
