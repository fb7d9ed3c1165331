package stripe

import (
	"math"

	"tarmac/internal/money"
)

// amountError says why a number from Stripe cannot be an amount in the currency that it names.
type amountError string

func (e amountError) Error() string { return string(e) }

// minor returns an amount of Stripe in minor units of its currency by ISO 4217. Stripe counts some
// currencies in other units. Amounts are not rounded.
func minor(amount int64, currency string) (int64, error) {
	exponent, ok := exponentOf(currency)
	if !ok {
		return 0, amountError("Stripe does not document in which unit it counts " + currency)
	}
	for iso := money.Exponent(currency); exponent != iso; {
		if exponent > iso {
			if amount%10 != 0 {
				return 0, amountError("its amount has more decimals than " + currency)
			}
			amount /= 10
			exponent--
			continue
		}
		if amount > math.MaxInt64/10 || amount < math.MinInt64/10 {
			return 0, amountError("its amount is too large")
		}
		amount *= 10
		exponent++
	}
	return amount, nil
}

// exponentOf returns the number of decimals of the amounts in a currency at Stripe. It returns
// false for currencies in which Stripe may count otherwise than ISO 4217 and does not say how, such
// as UGX.
func exponentOf(currency string) (exponent int, ok bool) {
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0, true
	case "BHD", "JOD", "KWD", "OMR", "TND":
		return 3, true
	case "ISK":
		return 2, true
	}
	return 2, money.Exponent(currency) == 2
}
