package demodata

// rateOf returns the exchange rate of a currency: that many of its minor units are worth that
// many USD cents. Rates are fixed, so that amounts converted at different times are consistent.
func rateOf(currency string) (cents, minor int64, ok bool) {
	switch currency {
	case "USD":
		return 1, 1, true
	case "EUR":
		return 108, 100, true
	case "GBP":
		return 127, 100, true
	case "JPY":
		return 67, 100, true // a yen is its own minor unit
	}
	return 0, 0, false
}

// usdCents converts minor units to USD cents, rounding half up. ok is false if the currency has
// no rate.
func usdCents(amount int64, currency string) (usd int64, ok bool) {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return 0, false
	}
	return (amount*cents + minor/2) / minor, true
}

// foreignMinor converts USD cents to minor units of a currency, rounded down but at least 1. It
// returns the cents unchanged if the currency has no rate.
func foreignMinor(usd int64, currency string) int64 {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return usd
	}
	return max(1, usd*minor/cents)
}

const dollar = int64(100) // cents

// roundUp rounds n up to a multiple of step. Negative numbers become 0.
func roundUp(n, step int64) int64 {
	if n <= 0 {
		return 0
	}
	return (n + step - 1) / step * step
}
