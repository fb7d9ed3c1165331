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

// Text returns an amount as people read it: sign, symbol, digits with thousands separators and the
// decimal places of the currency. For example, it returns "-$1,234.56", "€0.05", or "-18,000.00
// CHF" for a currency without a symbol. Without a currency it returns the digits of Format.
func Text(minor int64, currency string) string {
	return withCurrency(format(minor, Exponent(currency)), currency)
}

// IsCode reports whether code has the form of an ISO 4217 code: three capital letters.
func IsCode(code string) bool {
	return len(code) == 3 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Symbol returns the symbol that stands before amounts of a currency, such as "$". It returns "" if
// the code of the currency follows them instead.
func Symbol(currency string) string {
	switch currency {
	case "USD":
		return "$"
	case "EUR":
		return "€"
	case "GBP":
		return "£"
	case "JPY":
		return "¥"
	}
	return ""
}

// Name returns the name of a currency in a sentence, such as "US dollars" or "CHF".
func Name(currency string) string {
	switch currency {
	case "USD":
		return "US dollars"
	case "EUR":
		return "euros"
	case "GBP":
		return "pounds sterling"
	case "JPY":
		return "yen"
	}
	return currency
}

// withCurrency adds the currency to a number that may begin with a minus.
func withCurrency(number, currency string) string {
	symbol := Symbol(currency)
	switch rest, negative := strings.CutPrefix(number, "-"); {
	case currency == "":
		return number
	case symbol == "":
		return number + " " + currency
	case negative:
		return "-" + symbol + rest
	}
	return symbol + number
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

// Short returns an amount with three digits, in at most seven characters for amounts below $1000T,
// or eleven where the code of the currency follows. It is used in sentences, charts and narrow
// panels: "$950", "€12.4k", "$302k", "$1.25M", "-3.10B CHF". It rounds half away from zero. For an
// amount that would round to zero, it returns "<$1".
func Short(minor int64, currency string) string {
	one := uint64(One(currency))
	switch half := (one + 1) / 2; {
	case minor > 0 && uint64(minor) < half:
		return "<" + withCurrency("1", currency)
	case minor < 0 && -uint64(minor) < half:
		return "-<" + withCurrency("1", currency)
	}
	return withCurrency(short(minor, one, 1), currency)
}

// ShortDown returns an amount in the form of Short, but rounds towards zero. It is used for lower
// bounds: 99 cents are "$0".
func ShortDown(minor int64, currency string) string {
	return withCurrency(short(minor, uint64(One(currency)), 0), currency)
}

// ShortRound returns an amount in the form of Short, without zeros at the end of its decimals. It
// is used for round amounts, such as those of a scale: "$2.5M", "500k CHF".
func ShortRound(minor int64, currency string) string {
	text, code, coded := strings.Cut(Short(minor, currency), " ")
	digits := strings.TrimRight(text, "kMBT")
	suffix := text[len(digits):]
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	if coded {
		suffix += " " + code
	}
	return digits + suffix
}

// Unit returns the name of a currency's unit times a scale, such as "k": "$k" or "k CHF".
func Unit(scale, currency string) string {
	if symbol := Symbol(currency); symbol != "" {
		return symbol + scale
	}
	return strings.TrimSpace(scale + " " + currency)
}

// One returns the minor units of one unit of a currency, such as 100 for USD.
func One(currency string) int64 {
	return [...]int64{1, 10, 100, 1000, 10_000}[Exponent(currency)]
}

// short returns an amount in the form of Short, without a currency. One is the number of minor
// units of one unit. If half is 1, it rounds half away from zero. If half is 0, it rounds towards
// zero.
func short(minor int64, one, half uint64) string {
	sign := ""
	magnitude := uint64(minor)
	if minor < 0 {
		sign, magnitude = "-", -magnitude
	}
	if units := (magnitude + one/2*half) / one; units < 1000 {
		if units == 0 {
			sign = ""
		}
		return sign + strconv.FormatUint(units, 10)
	}
	for _, scale := range [...]struct {
		units  uint64
		suffix string
	}{{1_000, "k"}, {1_000_000, "M"}, {1_000_000_000, "B"}, {1_000_000_000_000, "T"}} {
		// Print three digits, and of thousands at most tenths. Use the next scale if rounding would
		// print "1000k".
		whole := scale.units * one
		units := (magnitude + whole/2*half) / whole
		tenths := (magnitude + whole/20*half) / (whole / 10)
		switch {
		case units >= 1000 && scale.suffix != "T":
			continue
		case tenths >= 1000:
			return sign + strconv.FormatUint(units, 10) + scale.suffix
		case scale.suffix != "k" && tenths < 100:
			hundredths := (magnitude + whole/200*half) / (whole / 100)
			return sign + decimal(hundredths, 2) + scale.suffix
		}
		return sign + decimal(tenths, 1) + scale.suffix
	}
	return sign + strconv.FormatUint(magnitude/one, 10)
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
