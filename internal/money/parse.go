package money

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Errors that Parse and ParseSigned return.
var (
	ErrAmount = errors.New("must be an amount such as 1,200.50 or 1.5k")
	ErrSigned = errors.New("must be an amount with a sign: +5,000 comes in, -1.5k goes out")
)

// scales maps suffixes of numbers to powers of ten.
var scales = map[string]int{"k": 3, "thousand": 3, "m": 6, "million": 6, "b": 9, "bn": 9, "billion": 9}

// Parse reads an amount as people type it and returns minor units of its currency. It
// accepts digits, optionally with commas between groups of three, and as many decimals as
// the currency has. k, M or B (or thousand, million, billion) multiply the number. The
// currency's code may follow, and a dollar sign may precede US dollars. It refuses signs,
// leading zeros and amounts that overflow.
//
// It never guesses or rounds: it refuses "1,20", which may mean 1.20, and 1.2345678k, which
// has fractions of a cent.
func Parse(text, currency string) (minor int64, err error) {
	number, zeros := trimScale(trimCurrency(text, currency))
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

// ParseSigned parses an amount with a sign, such as +5,000 or -$24k. Without a sign it returns
// ErrSigned, because the direction of the money would be unknown.
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

// trimCurrency removes spaces, the dollar sign and the currency code from an amount.
func trimCurrency(text, currency string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if currency == "USD" {
		text = strings.TrimSpace(strings.TrimPrefix(text, "$"))
	}
	return strings.TrimSpace(strings.TrimSuffix(text, strings.ToLower(currency)))
}

// trimScale removes the suffix that scales a number, such as "k", and returns the power of ten for
// which it stands.
func trimScale(text string) (number string, zeros int) {
	number = strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	zeros, known := scales[text[len(number):]]
	if !known {
		return text, 0
	}
	return strings.TrimRight(number, " "), zeros
}

// Ungrouped removes the commas from a whole number. It returns false unless the commas separate
// groups of three digits.
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
