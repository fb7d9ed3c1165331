// Package money formats, parses and adds amounts in integer minor units (cents for USD),
// without floating point.
//
// "Cents" in the API are ISO 4217 minor units: a JPY amount of 1500 is ¥1,500 and a KWD
// amount of 1500 is 1.500 dinar (docs/api.md, Minor units).
package money

import (
	"math"
	"strconv"
	"strings"
)

// Dash is shown in place of an unknown amount.
const Dash = "—"

// Exponent returns the number of decimal places of a currency. It returns 2 unless ISO 4217 defines
// another number.
func Exponent(currency string) int {
	switch currency {
	case "BIF",
		"CLP",
		"DJF",
		"GNF",
		"ISK",
		"JPY",
		"KMF",
		"KRW",
		"PYG",
		"RWF",
		"UGX",
		"UYI",
		"VND",
		"VUV",
		"XAF",
		"XOF",
		"XPF":
		return 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	case "CLF", "UYW":
		return 4
	}
	return 2
}

// Format returns minor units as text with thousands separators and the decimal places of the
// currency, but without a currency sign. For example, Format(-123456, "USD") is "-1,234.56".
func Format(minor int64, currency string) string {
	return format(minor, Exponent(currency))
}

// USD returns USD cents with a dollar sign, such as "$1,234.56" or "-$0.05".
func USD(cents int64) string {
	s := format(cents, 2)
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		return "-$" + rest
	}
	return "$" + s
}

func format(minor int64, exponent int) string {
	// As a uint64, even the smallest int64 can be negated.
	magnitude := uint64(minor)
	if minor < 0 {
		magnitude = -magnitude
	}
	digits := strconv.FormatUint(magnitude, 10)
	if len(digits) <= exponent {
		digits = strings.Repeat("0", exponent+1-len(digits)) + digits
	}
	whole, fraction := digits[:len(digits)-exponent], digits[len(digits)-exponent:]

	var b strings.Builder
	b.Grow(len(whole) + len(whole)/3 + len(fraction) + 2)
	if minor < 0 {
		b.WriteByte('-')
	}
	lead := len(whole) % 3
	if lead == 0 {
		lead = 3
	}
	b.WriteString(whole[:lead])
	for i := lead; i < len(whole); i += 3 {
		b.WriteByte(',')
		b.WriteString(whole[i : i+3])
	}
	if exponent > 0 {
		b.WriteByte('.')
		b.WriteString(fraction)
	}
	return b.String()
}

// Count returns a whole number with thousands separators.
func Count(n int64) string { return format(n, 0) }

// Short returns USD cents in at most eight characters for amounts below $1000T. It is used in
// charts and narrow panels: "$950", "$12.4k", "$1.25M", "-$3.1B". It rounds half away from zero.
// For an amount that would round to zero, it returns "<$1".
func Short(cents int64) string {
	switch {
	case cents > 0 && cents < 50:
		return "<$1"
	case cents < 0 && cents > -50:
		return "-<$1"
	}
	return short(cents, 1)
}

// ShortDown returns USD cents in the form of Short, but rounds towards zero. It is used for lower
// bounds: 99 cents are "$0".
func ShortDown(cents int64) string { return short(cents, 0) }

// short returns USD cents in the form of Short. If half is 1, it rounds half away from zero. If
// half is 0, it rounds towards zero.
func short(cents int64, half uint64) string {
	sign := ""
	magnitude := uint64(cents)
	if cents < 0 {
		sign, magnitude = "-", -magnitude
	}
	if dollars := (magnitude + 50*half) / 100; dollars < 1000 {
		if dollars == 0 {
			sign = ""
		}
		return sign + "$" + strconv.FormatUint(dollars, 10)
	}
	for _, unit := range []struct {
		cents  uint64
		suffix string
	}{{100_000, "k"}, {100_000_000, "M"}, {100_000_000_000, "B"}, {100_000_000_000_000, "T"}} {
		// Print tenths if they are below 1000 of the unit. Use the next unit if rounding would
		// print "1000.0k".
		tenths := (magnitude + unit.cents/20*half) / (unit.cents / 10)
		if tenths >= 10_000 && unit.suffix != "T" {
			continue
		}
		if unit.suffix != "k" && tenths < 100 {
			hundredths := (magnitude + unit.cents/200*half) / (unit.cents / 100)
			return sign + "$" + decimal(hundredths, 2) + unit.suffix
		}
		return sign + "$" + decimal(tenths, 1) + unit.suffix
	}
	return sign + "$" + strconv.FormatUint(magnitude/100, 10)
}

func decimal(n uint64, places int) string {
	s := strconv.FormatUint(n, 10)
	if len(s) <= places {
		s = strings.Repeat("0", places+1-len(s)) + s
	}
	return s[:len(s)-places] + "." + s[len(s)-places:]
}

// Add returns a+b and true. If the sum overflows, it returns 0 and false.
func Add(a, b int64) (int64, bool) {
	if (b > 0 && a > math.MaxInt64-b) || (b < 0 && a < math.MinInt64-b) {
		return 0, false
	}
	return a + b, true
}
