package demodata

// rateOf returns a fixed exchange rate to USD: minor units of the currency are worth cents USD
// cents. Rates never change, so amounts converted at different times are consistent. ok is false
// for a currency without a rate.
func rateOf(currency string) (cents, minor int64, ok bool) {
	switch currency {
	case "USD":
		return 1, 1, true
	case "EUR":
		return 108, 100, true
	case "GBP":
		return 127, 100, true
	case "JPY":
		return 67, 100, true // a yen has no smaller unit
	}
	return 0, 0, false
}

// usdCents converts an amount in minor units of currency to USD cents, rounding half up. ok is
// false if the currency has no rate.
func usdCents(amount int64, currency string) (usd int64, ok bool) {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return 0, false
	}
	return (amount*cents + minor/2) / minor, true
}

// foreignMinor converts usd, an amount in USD cents, to minor units of currency. It rounds down,
// but returns at least 1. For a currency without a rate it returns usd unchanged.
func foreignMinor(usd int64, currency string) int64 {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return usd
	}
	return max(1, usd*minor/cents)
}

const dollar = int64(100) // cents in a dollar

// roundUp rounds n up to a multiple of step. Negative numbers become 0.
func roundUp(n, step int64) int64 {
	if n <= 0 {
		return 0
	}
	return (n + step - 1) / step * step
}
