package runway

import (
	"errors"
	"strconv"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/views/field"
)

// What may be wrong with what is typed into the form.
var (
	errPercent = errors.New("must be a whole number of percent from -100 to 1000, such as +10 or -25")
	errMoney   = errors.New("must be US dollars with a sign, such as +5,000 or -1,200.50")
	errPays    = errors.New("must be US dollars, such as 12,000")
	errMonth   = errors.New("must be a month in the form YYYY-MM, or +3 for three months from now")
	errPast    = errors.New("must be this month or a later one")
	errFar     = errors.New("must be within a hundred years")
)

// farthest is how many months ahead something may be supposed.
const farthest = 1200

// parsePercent reads a change in percent: +10, -25 %. Nothing typed is no change.
func parsePercent(text string) (int64, error) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < figures.LeastBurnPercent || n > figures.MostBurnPercent {
		return 0, errPercent
	}
	return n, nil
}

// parseChange reads US dollars with a sign into cents. The sign has to be there:
// without one nobody can say whether the money comes or goes. Nothing typed is none.
func parseChange(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	rest, more := strings.CutPrefix(text, "+")
	less := false
	if !more {
		rest, less = strings.CutPrefix(text, "-")
	}
	cents, err := field.ParseMoney(rest)
	switch {
	case err != nil || !more && !less:
		return 0, errMoney
	case less:
		return -cents, nil
	}
	return cents, nil
}

// parsePays reads what a customer pays, in cents. Nothing typed is nothing.
func parsePays(text string) (int64, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	cents, err := field.ParseMoney(text)
	if err != nil {
		return 0, errPays
	}
	return cents, nil
}

// parseMonth reads YYYY-MM, or +3 as three months from now, as the month's first
// day. Nothing typed is this month.
func parseMonth(text string, today civil.Date) (civil.Date, error) {
	text = strings.TrimSpace(text)
	this := today.FirstOfMonth()
	if text == "" {
		return this, nil
	}
	if rest, ahead := strings.CutPrefix(text, "+"); ahead {
		n, err := strconv.ParseUint(strings.TrimSpace(rest), 10, 31)
		switch {
		case err != nil:
			return civil.Date{}, errMonth
		case n > farthest:
			return civil.Date{}, errFar
		}
		return this.AddMonths(int(n)), nil
	}
	month, err := civil.Parse(text + "-01")
	switch {
	case err != nil:
		return civil.Date{}, errMonth
	case month.Before(this):
		return civil.Date{}, errPast
	case month.MonthsSince(this) > farthest:
		return civil.Date{}, errFar
	}
	return month, nil
}
