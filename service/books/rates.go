package books

import (
	"math/big"
	"slices"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// maxRateAge is the greatest age in days of a rate that converts a transaction. The longest
// holidays of the European Central Bank have fewer days.
const maxRateAge = 7

// USDCents converts an amount into US cents by the newest rate at or up to seven days before a
// day. It returns false without such a rate, and if the result does not fit into 64 bits. rates
// are those of the currency, the oldest first; of several rates of a day the last one counts.
// US dollars need no rate.
func USDCents(minor int64, currency string, day Day, rates []bank.Rate) (cents int64, known bool) {
	if currency == "USD" {
		return minor, true
	}
	rate, known := RateAt(rates, day)
	if !known || DayOf(rate.Date)+maxRateAge < day {
		return 0, false
	}
	return ConvertToUSD(minor, rate)
}

// RateAt returns the newest rate at or before a day, however old, from rates of one currency,
// the oldest first. Of several rates of a day it returns the last one.
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

// ConvertToUSD converts minor units of the rate's currency into US cents, rounded half away from
// zero. It returns false if the result does not fit into 64 bits.
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

// divide returns a quotient rounded half away from zero. It changes its arguments, of which
// the denominator must be positive.
func divide(numerator, denominator *big.Int) (quotient int64, ok bool) {
	sign := int64(numerator.Sign())
	numerator.Abs(numerator).Lsh(numerator, 1).Add(numerator, denominator)
	numerator.Quo(numerator, denominator.Lsh(denominator, 1))
	numerator.Mul(numerator, big.NewInt(sign))
	return numerator.Int64(), numerator.IsInt64()
}
