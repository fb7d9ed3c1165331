package money

import (
	"cmp"
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

// Typed is an amount as a person typed it. It has no minor units before the currency of the figures
// is known.
type Typed struct {
	digits   string
	decimals int    // how many of the digits follow the point; negative if zeros follow the digits
	currency string // that the person typed; "" for none
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// Parse reads an amount in a currency, by the rules of ParseTyped, and returns minor units.
func Parse(text, currency string) (minor int64, err error) {
	typed, err := ParseTyped(text)
	if err != nil {
		return 0, err
	}
	return typed.In(currency)
}

// ParseTyped reads an amount as people type it. It accepts digits, optionally with commas between
// groups of three, and decimals. k, M or B (or thousand, million, billion) multiply the number. The
// symbol of a currency may precede it, and the code of a currency may follow. It refuses signs and
// leading zeros.
//
// It never guesses: it refuses "1,20", which may mean 1.20.
func ParseTyped(text string) (Typed, error) {
	number, currency := trimSymbol(strings.ToLower(strings.TrimSpace(text)))
	number, code := trimCode(number)
	if currency != "" && code != "" && code != currency {
		return Typed{}, ErrAmount
	}
	number, zeros := trimScale(number)
	whole, fraction, pointed := strings.Cut(number, ".")
	digits, ok := Ungrouped(whole)
	if !ok || pointed && fraction == "" || len(digits) > 1 && digits[0] == '0' || !onlyDigits(digits+fraction) {
		return Typed{}, ErrAmount
	}
	return Typed{digits + fraction, len(fraction) - zeros, cmp.Or(currency, code)}, nil
}

// CurrencyOr returns the currency that the person typed, or the given one without it.
func (a Typed) CurrencyOr(currency string) string { return cmp.Or(a.currency, currency) }

// In returns the minor units of an amount in a currency. It never rounds or converts: it refuses an
// amount in another currency, 1.2345678k, which has fractions of a cent, and amounts that overflow.
func (a Typed) In(currency string) (minor int64, err error) {
	places := Exponent(currency)
	switch {
	case a.currency != "" && a.currency != currency:
		return 0, fmt.Errorf("%w in %s, not in %s", ErrAmount, Name(currency), Name(a.currency))
	case a.decimals > places:
		return 0, fmt.Errorf("%w; %s has %d decimal places", ErrAmount, currency, places)
	}
	for _, c := range []byte(a.digits + strings.Repeat("0", places-a.decimals)) {
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

// trimSymbol removes the symbol before an amount and returns its currency, or "" if there is none.
func trimSymbol(text string) (rest, currency string) {
	for _, currency := range [...]string{"USD", "EUR", "GBP", "JPY"} {
		if rest, found := strings.CutPrefix(text, Symbol(currency)); found {
			return strings.TrimSpace(rest), currency
		}
	}
	return text, ""
}

// trimCode removes the code of a currency behind an amount in lower case, which may follow a suffix
// that scales the number, and returns it in capital letters. It returns "" if there is none.
func trimCode(text string) (rest, currency string) {
	word := text[len(strings.TrimRight(text, letters)):]
	if _, scale := scales[word]; scale || len(word) < 3 {
		return text, ""
	}
	at := len(text) - 3
	return strings.TrimSpace(text[:at]), strings.ToUpper(text[at:])
}

// trimScale removes the suffix that scales a number, such as "k", and returns the power of ten for
// which it stands.
func trimScale(text string) (number string, zeros int) {
	number = strings.TrimRight(text, letters)
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
