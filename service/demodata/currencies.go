package demodata

// rateOf returns a currency's rate: cents for minor units of the currency. Rates are fixed, so
// that amounts converted at different times are consistent.
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

// foreignMinor converts USD cents to minor units of a currency with a rate, rounded down but at
// least 1.
func foreignMinor(usd int64, currency string) int64 {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return usd
	}
	return max(1, usd*minor/cents)
}

const dollar = int64(100) // cents

// roundUp returns the smallest multiple of step that is at least n, and not negative.
func roundUp(n, step int64) int64 {
	if n <= 0 {
		return 0
	}
	return (n + step - 1) / step * step
}
