package chart

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/money"
	"tarmac/theme"
)

// netUnit is a unit in which the nets below the bars are written.
type netUnit struct {
	name  string // such as "$k" or "k CHF"
	minor uint64
}

// unitOf returns the smallest unit in which each net has at most four digits, or false if there is
// none or no net is known.
func unitOf(months []Month) (netUnit, bool) {
	largest, known := uint64(0), false
	for _, m := range months {
		if !m.netUnknown() {
			largest, known = max(largest, magnitude(m.Net.Minor)), true
		}
	}
	if !known {
		return netUnit{}, false
	}
	currency := currencyOf(months)
	minor := uint64(money.One(currency))
	for _, scale := range [...]string{"", "k", "M", "B"} {
		unit := netUnit{money.Unit(scale, currency), minor}
		minor *= 1000
		if unit.rounded(largest) <= 9_999 {
			return unit, true
		}
	}
	return netUnit{}, false
}

// rounded returns cents as a whole number of units, rounded half up.
func (u netUnit) rounded(cents uint64) uint64 { return (cents + u.minor/2) / u.minor }

func (m Month) netUnknown() bool { return m.Net.Unknown || m.unknown() }

// text returns a net in the unit, rounded to a whole number, such as "-267", "+12" or "0".
func (u netUnit) text(cents int64) string {
	whole := u.rounded(magnitude(cents))
	digits := strconv.FormatUint(whole, 10)
	switch {
	case whole == 0:
		return digits
	case cents < 0:
		return "-" + digits
	}
	return "+" + digits
}

// magnitude returns the absolute value of cents, also of the smallest integer.
func magnitude(cents int64) uint64 {
	if cents < 0 {
		return -uint64(cents)
	}
	return uint64(cents)
}

// nets returns the line with the net of each month below its bars, and the unit of the nets. It
// returns "" if a net does not fit into slot cells with a space beside it.
func nets(t theme.Theme, months []Month, slot, bar int) (line, unit string) {
	u, ok := unitOf(months)
	if !ok {
		return "", ""
	}
	var b strings.Builder
	for _, m := range months {
		text, style := money.Dash, t.Unknown
		if !m.netUnknown() {
			text, style = u.text(m.Net.Minor), t.Outflow
			if strings.HasPrefix(text, "+") {
				style = t.Inflow
			}
		}
		width := ansi.StringWidth(text)
		if width >= slot {
			return "", ""
		}
		lead := min(max(0, (2*bar-width)/2), slot-width)
		b.WriteString(strings.Repeat(" ", lead) + style.Render(text) + strings.Repeat(" ", slot-lead-width))
	}
	return b.String(), u.name
}
