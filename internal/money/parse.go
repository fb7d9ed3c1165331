package money

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// What may be wrong with an amount that is typed.
var (
	ErrAmount = errors.New("must be an amount such as 1,200.50 or 1.5k")
	ErrSigned = errors.New("must be an amount with a sign: +5,000 comes in, -1.5k goes out")
)

// scales are how many zeros a word after a number stands for.
var scales = map[string]int{"k": 3, "thousand": 3, "m": 6, "million": 6, "b": 9, "bn": 9, "billion": 9}

// Parse reads an amount as people type it into minor units of its currency: digits, in
// whole groups of three if they are grouped by commas at all, then a point and no more
// decimal places than the currency has. k, M and B (or thousand, million, billion) after
// it stand for zeros, and may be followed by the currency's code; a dollar sign may be
// before US dollars. Signs, leading zeros and what does not fit are refused.
//
// It is exact, and never guesses: "1,20" may be meant as 1.20, 1.2345678k has parts of a
// cent, and neither is an amount here.
func Parse(text, currency string) (minor int64, err error) {
	number, zeros := scaled(bare(text, currency))
	whole, fraction, pointed := strings.Cut(number, ".")
	digits, ok := Ungrouped(whole)
	if !ok || pointed && fraction == "" || len(digits) > 1 && digits[0] == '0' || !onlyDigits(digits+fraction) {
		return 0, ErrAmount
	}
	places := Exponent(currency)
	if len(fraction) > places+zeros {
		return 0, fmt.Errorf("%w; %s has %d decimal places", ErrAmount, currency, places)
	}
	for _, c := range []byte(digits + fraction + strings.Repeat("0", places+zeros-len(fraction))) {
		if minor > (math.MaxInt64-int64(c-'0'))/10 {
			return 0, fmt.Errorf("%w; this is too much", ErrAmount)
		}
		minor = minor*10 + int64(c-'0')
	}
	return minor, nil
}

// ParseSigned reads an amount with a sign before it, such as +5,000 or -$24k. The sign
// has to be there: without one nobody can say whether the money comes or goes.
func ParseSigned(text, currency string) (minor int64, err error) {
	text = strings.TrimSpace(text)
	rest, less := strings.CutPrefix(text, "-")
	if !less {
		var more bool
		if rest, more = strings.CutPrefix(text, "+"); !more {
			return 0, ErrSigned
		}
	}
	minor, err = Parse(rest, currency)
	if less {
		minor = -minor
	}
	return minor, err
}

// bare takes blanks, the sign of the dollar and the code of the currency off an amount.
func bare(text, currency string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if currency == "USD" {
		text = strings.TrimSpace(strings.TrimPrefix(text, "$"))
	}
	return strings.TrimSpace(strings.TrimSuffix(text, strings.ToLower(currency)))
}

// scaled takes the word for zeros off a number.
func scaled(text string) (number string, zeros int) {
	number = strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	zeros, known := scales[text[len(number):]]
	if !known {
		return text, 0
	}
	return strings.TrimRight(number, " "), zeros
}

// Ungrouped takes the commas out of a whole number; false where they are not between
// groups of three.
func Ungrouped(whole string) (digits string, ok bool) {
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

func onlyDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
