package bank

import (
	"slices"

	"golang.org/x/text/currency"
)

// newCurrencies are codes of ISO 4217 that the library's table lacks.
var newCurrencies = []string{"SLE", "VED", "XCG", "ZWG"}

// IsCurrency reports whether code is the ISO 4217 code of a currency, in capitals, in use or
// former. Codes for no currency (XXX) and for tests (XTS) are none.
func IsCurrency(code string) bool {
	if len(code) != 3 || code == "XXX" || code == "XTS" {
		return false
	}
	for i := range code {
		if code[i] < 'A' || code[i] > 'Z' {
			return false
		}
	}
	_, err := currency.ParseISO(code)
	return err == nil || slices.Contains(newCurrencies, code)
}
