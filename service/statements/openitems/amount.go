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
