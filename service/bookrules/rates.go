package bookrules

import (
	"math/big"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// MaxRateAge is the largest age in days of a rate by which a transaction is converted. The European
// Central Bank publishes no rates on holidays, but the longest holidays are shorter.
const MaxRateAge = 7

// USDCents converts an amount of the given day to US cents. It uses the newest rate of that day or
// of the MaxRateAge days before it. rates are those of the currency, oldest first; if a day has
// several, the last of them is used. US dollars need no rate. known is false if there is no such
// rate or the result overflows.
func USDCents(minor int64, currency string, day Day, rates []bank.Rate) (cents int64, known bool) {
	if currency == "USD" {
		return minor, true
	}
	rate, known := recentRate(rates, day)
	if !known {
		return 0, false
	}
	return ConvertToUSD(minor, rate)
}

// recentRate is RateAt for rates that are at most MaxRateAge days old.
func recentRate(rates []bank.Rate, day Day) (bank.Rate, bool) {
	rate, known := RateAt(rates, day)
	return rate, known && DayOf(rate.Date)+MaxRateAge >= day
}

// RateAt returns the newest rate that is not later than day, however old it is. rates are those of
// one currency, oldest first; if a day has several, the last of them is used. It returns false if
// there is no rate.
func RateAt(rates []bank.Rate, day Day) (bank.Rate, bool) {
	after, _ := slices.BinarySearchFunc(rates, day.Date(), func(r bank.Rate, date civil.Date) int {
		if r.Date.After(date) {
			return 1
		}
		return -1
	})
	if after == 0 {
		return bank.Rate{}, false
	}
	return rates[after-1], true
}

// RateSpan says for which days there are rates of a currency.
type RateSpan struct {
	Currency string
	Span         // from the first to the last rate
	Days     int // number of days with a rate
}

// WithoutRate returns the lines whose amounts in US dollars are unknown, because no rate is at most
// MaxRateAge days older. rates are those of the lines' currency, oldest first.
func WithoutRate(merged []Merged, rates []bank.Rate) (without []Merged) {
	for _, m := range merged {
		if _, known := recentRate(rates, m.Day); !known {
			without = append(without, m)
		}
	}
	return without
}

// rateDecimals is the largest number of decimals in RateText. With it, the rates of the weakest
// currencies still have six significant digits.
const rateDecimals = 12

// RateText returns the value of one unit of the rate's currency in US dollars, as a decimal.
func RateText(r bank.Rate) string {
	text := big.NewRat(r.Numerator, r.Denominator).FloatString(rateDecimals)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// ecbCurrencies lists the currencies of which the European Central Bank publishes rates each
// working day, besides the US dollar. Its rates of BGN end in 2025.
var ecbCurrencies = []string{
	"AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY",
	"KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "ZAR",
}

// ECBPublishes reports whether the European Central Bank publishes rates of a currency.
func ECBPublishes(currency string) bool { return slices.Contains(ecbCurrencies, currency) }

// ConvertToUSD converts an amount in minor units of the rate's currency to US cents, rounding half
// away from zero. ok is false if the result overflows.
func ConvertToUSD(minor int64, rate bank.Rate) (cents int64, ok bool) {
	const centsExponent = 2
	numerator := new(big.Int).Mul(big.NewInt(minor), big.NewInt(rate.Numerator))
	denominator := big.NewInt(rate.Denominator)
	shift := centsExponent - money.Exponent(rate.Currency)
	if power := tenTo(max(shift, -shift)); shift > 0 {
		numerator.Mul(numerator, power)
	} else {
		denominator.Mul(denominator, power)
	}
	return divide(numerator, denominator)
}

func tenTo(exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
}

// divide returns the quotient, rounded half away from zero. The denominator must be positive. Both
// arguments are overwritten. ok is false if the quotient overflows.
func divide(numerator, denominator *big.Int) (quotient int64, ok bool) {
	sign := int64(numerator.Sign())
	numerator.Abs(numerator).Lsh(numerator, 1).Add(numerator, denominator)
	numerator.Quo(numerator, denominator.Lsh(denominator, 1))
	numerator.Mul(numerator, big.NewInt(sign))
	return numerator.Int64(), numerator.IsInt64()
}
