package monitor

import (
	"strings"

	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/money"
)

// value returns a figure as performance data: 'label'=value;warning;critical;minimum;maximum. An
// unknown figure is U.
func value(label, figure, warning, critical string) string {
	return "'" + label + "'=" + figure + ";" + warning + ";" + critical + ";;"
}

// others returns the figures of the cash position that have no limits, as performance data alone.
func others(c *figures.Cash) (parts []part) {
	position := record.CashPosition(*c)
	for _, f := range append(position.Pick("monthly_burn_cents"), position.Listed()...) {
		figure := "U"
		if total, ok := f.Total(); ok && !total.Unknown {
			figure = plain(total.Minor, total.Currency)
		}
		parts = append(parts, part{value: value(strings.TrimSuffix(f.Name, "_cents"), figure, "", "")})
	}
	return parts
}

func atLeast(minor *int64, currency string) string {
	if minor == nil {
		return ""
	}
	return plain(*minor, currency) + ":"
}

func atMost(minor *int64, currency string) string {
	if minor == nil {
		return ""
	}
	return plain(*minor, currency)
}

// plain returns an amount as a plain number, such as "-1234.50".
func plain(minor int64, currency string) string {
	return strings.ReplaceAll(money.Format(minor, currency), ",", "")
}
