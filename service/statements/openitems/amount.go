package openitems

import (
	"strings"
	"unicode"

	"tarmac/service/statements/bank"
)

// symbols maps currency signs to ISO codes. Signs that several currencies use are mapped to "".
var symbols = map[string]string{
	"€": "EUR", "£": "GBP", "₹": "INR", "$": "", "¥": "", "kr": "", "kr.": "", "US$": "USD", "A$": "AUD",
	"C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "R$": "BRL",
}

// splitAmount splits an amount into the number and the currency before or after it. It returns
// false if the text is not an amount.
func splitAmount(text string) (number, code string, ok bool) {
	var sign strings.Builder
	number = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) {
			sign.WriteRune(r)
			return -1
		}
		return r
	}, text)
	number = strings.TrimSpace(number)
	token := sign.String()
	if token == "" {
		return number, "", true
	}
	at := strings.Index(text, token)
	inside := at > 0 && strings.ContainsAny(text[:at], "0123456789") &&
		strings.ContainsAny(text[at:], "0123456789")
	if at < 0 || inside {
		return "", "", false
	}
	if bank.IsCurrency(token) {
		return number, token, true
	}
	code, ok = symbols[token]
	return number, code, ok
}

// decimalMark returns the decimal mark of a number if the number shows it: the last of two
// different marks, or a mark that not exactly three digits follow. The result open is true if the
// only mark may be a decimal mark or a thousands separator.
func decimalMark(number string) (mark byte, open bool) {
	last := strings.LastIndexAny(number, ".,")
	if last < 0 {
		return 0, false
	}
	found, other := number[last], byte('.')
	if found == '.' {
		other = ','
	}
	switch {
	case strings.IndexByte(number, other) >= 0:
		return found, false
	case strings.Count(number, string(found)) > 1:
		return other, false
	}
	digits := 0
	for _, r := range number[last+1:] {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	if digits != 3 {
		return found, false
	}
	return 0, true
}
