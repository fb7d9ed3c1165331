package proposal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// otherCurrencies are the ISO 4217 codes of national currencies, except USD. They count in
// capital and small letters. Those in capitalsOnly are also English words or abbreviations.
const (
	otherCurrencies = "AED AFN AMD AOA ARS AUD AWG AZN BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD " +
		"CDF CHF CLP CNY CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GHS GIP GMD GNF GTQ GYD HKD HNL HTG " +
		"HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LBP LKR LRD LSL LYD MDL MGA " +
		"MKD MMK MNT MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PGK PHP PKR PLN PYG QAR RSD RUB RWF " +
		"SAR SBD SCR SDG SEK SGD SHP SLE SRD SSP STN SVC SYP SZL THB TJS TMT TND TTD TWD TZS UAH UGX UYU UZS VED " +
		"VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG"
	capitalsOnly = "ALL ANG BAM CAD COP CUP ERN GEL LAK MAD MOP OMR PEN RON SOS TOP TRY"
)

// CheckDescription refuses a line's description that begins with another currency than US
// dollars, as in "100 EUR Hours": the price before it would be billed in US dollars.
func CheckDescription(description string) error {
	description = strings.TrimSpace(description)
	first, size := utf8.DecodeRuneInString(description)
	end := strings.IndexFunc(description, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(description)
	}
	word := description[:end]
	code := strings.ToUpper(word)
	switch {
	case unicode.Is(unicode.Sc, first) && first != '$':
		code = description[:size]
	case !slices.Contains(strings.Fields(otherCurrencies), code) && !slices.Contains(strings.Fields(capitalsOnly), word):
		return nil
	}
	return fmt.Errorf("must not begin with %s, because invoices are in USD", code)
}
