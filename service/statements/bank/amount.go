package bank

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"tarmac/internal/money"
)

// The errors that ParseAmount returns.
var (
	ErrAmount    = errors.New("is not an amount")
	ErrPrecision = errors.New("has more decimals than its currency")
	ErrTooLarge  = errors.New("is too large")
)

// maxAmountText is the largest length of an amount in bytes. It allows 19 digits with separators, a
// sign and decimals.
const maxAmountText = 64

// ParseAmount parses an amount as banks write it and returns it in minor units of the currency. The
// parameter mark is the decimal mark, '.' or ','. The other of these two, apostrophes and blanks
// may separate groups of digits. A sign may stand before or after the number, and parentheses mean
// a negative amount. Amounts are not rounded: decimals beyond those of the currency must be zeros.
func ParseAmount(text string, mark byte, currency string) (int64, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxAmountText {
		return 0, ErrAmount
	}
	text, negative, ok := trimSign(text)
	if !ok {
		return 0, ErrAmount
	}
	whole, decimals, _ := strings.Cut(text, string(mark))
	whole, ok = ungroup(whole, mark)
	if !ok || !digitsOnly(whole) || !digitsOnly(decimals) || whole+decimals == "" {
		return 0, ErrAmount
	}
	exponent := money.Exponent(currency)
	for len(decimals) < exponent {
		decimals += "0"
	}
	if strings.Trim(decimals[exponent:], "0") != "" {
		return 0, ErrPrecision
	}
	sign := ""
	if negative {
		sign = "-"
	}
	minor, err := strconv.ParseInt(sign+"0"+whole+decimals[:exponent], 10, 64)
	if err != nil {
		return 0, ErrTooLarge
	}
	return minor, nil
}

// trimSign removes a sign before or after a number, or parentheses around it. ok is false if there
// is more than one of these.
func trimSign(text string) (number string, negative, ok bool) {
	number = text
	switch {
	case strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")"):
		number, negative = text[1:len(text)-1], true
	case strings.HasPrefix(text, "-"):
		number, negative = text[1:], true
	case strings.HasPrefix(text, "\u2212"):
		number, negative = text[len("\u2212"):], true
	case strings.HasPrefix(text, "+"):
		number = text[1:]
	case strings.HasSuffix(text, "-"):
		number, negative = text[:len(text)-1], true
	case strings.HasSuffix(text, "+"):
		number = text[:len(text)-1]
	}
	number = strings.TrimSpace(number)
	return number, negative, !strings.ContainsAny(number, "+-()\u2212")
}

// ungroup removes the thousands separators from the digits before the decimal mark. It returns
// false unless the last group has three digits and the groups between the first and the last have
// three or, as in India, two.
func ungroup(whole string, mark byte) (digits string, ok bool) {
	groups := strings.FieldsFunc(whole, func(r rune) bool {
		return r != rune(mark) && (r == ',' || r == '.' || r == '\'' || r == '’' || unicode.IsSpace(r))
	})
	for i, group := range groups[min(1, len(groups)):] {
		if len(group) != 3 && (len(group) != 2 || i == len(groups)-2) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func digitsOnly(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}
