package bank

import (
	"slices"

	"golang.org/x/text/currency"
)

// newCurrencies lists ISO 4217 codes that are missing from the table of golang.org/x/text.
var newCurrencies = []string{"SLE", "VED", "XCG", "ZWG"}

// IsCurrency reports whether code is the ISO 4217 code of a present or former currency, in
// capitals. It is false for XXX (no currency) and XTS (test).
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
