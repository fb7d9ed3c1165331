package books

import (
	"math/big"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// MaxRateAge is the largest age in days of a rate by which a transaction is converted. The European
// Central Bank publishes no rates on holidays, but the longest holidays are shorter.
const MaxRateAge = 7

// USDCents converts an amount of the given day to US cents. It uses the newest rate that is not
// later than day and at most MaxRateAge days older. rates are those of the currency, oldest first;
// if a day has several, the last of them is used. US dollars need no rate. known is false if there
// is no such rate or the result overflows.
func USDCents(minor int64, currency string, day Day, rates []bank.Rate) (cents int64, known bool) {
	if currency == "USD" {
		return minor, true
	}
	rate, known := RateAt(rates, day)
	if !known || DayOf(rate.Date)+MaxRateAge < day {
		return 0, false
	}
	return ConvertToUSD(minor, rate)
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

// divide returns the quotient, rounded half away from zero. The denominator must be positive.
// divide changes both arguments. ok is false if the quotient overflows.
func divide(numerator, denominator *big.Int) (quotient int64, ok bool) {
	sign := int64(numerator.Sign())
	numerator.Abs(numerator).Lsh(numerator, 1).Add(numerator, denominator)
	numerator.Quo(numerator, denominator.Lsh(denominator, 1))
	numerator.Mul(numerator, big.NewInt(sign))
	return numerator.Int64(), numerator.IsInt64()
}
