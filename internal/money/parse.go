package money

import (
	"errors"
	"math"
	"strings"
)

// ErrAmount is returned for text that is not an amount of a currency.
var ErrAmount = errors.New("not an amount such as 1200.50 or 1,200.50")

// Parse reads an amount as people type it into minor units of its currency:
// digits, in whole groups of three if they are grouped by commas at all, then a
// point and no more decimal places than the currency has. Signs, currency signs,
// blanks and leading zeros are refused, and so is what does not fit.
//
// It never guesses: "1,20" may be meant as 1.20 and is no amount here.
func Parse(text, currency string) (minor int64, err error) {
	whole, fraction, pointed := strings.Cut(text, ".")
	places := Exponent(currency)
	if len(fraction) > places || pointed && fraction == "" {
		return 0, ErrAmount
	}
	digits, ok := ungrouped(whole)
	if !ok || len(digits) > 1 && digits[0] == '0' {
		return 0, ErrAmount
	}
	for _, c := range []byte(digits + fraction + strings.Repeat("0", places-len(fraction))) {
		if c < '0' || c > '9' || minor > (math.MaxInt64-int64(c-'0'))/10 {
			return 0, ErrAmount
		}
		minor = minor*10 + int64(c-'0')
	}
	return minor, nil
}

// ungrouped takes the commas out of a whole number.
func ungrouped(whole string) (digits string, ok bool) {
	groups := strings.Split(whole, ",")
	if groups[0] == "" || len(groups) > 1 && len(groups[0]) > 3 {
		return "", false
	}
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}
