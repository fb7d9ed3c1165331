package demodata

// rateOf returns a currency's rate to the dollar: so many cents for so many
// minor units. A generated organization lives in a world of fixed rates: what was
// converted in one month agrees with a balance that is converted in another.
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

// usdCents converts minor units, rounding half up. ok is false for a currency
// without a rate.
func usdCents(amount int64, currency string) (usd int64, ok bool) {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return 0, false
	}
	return (amount*cents + minor/2) / minor, true
}

// foreignMinor returns about usd cents' worth of a currency that has a rate.
func foreignMinor(usd int64, currency string) int64 {
	cents, minor, ok := rateOf(currency)
	if !ok {
		return usd
	}
	return max(1, usd*minor/cents)
}

const dollar = int64(100) // cents

// roundUp returns the next multiple of step at or above n.
func roundUp(n, step int64) int64 {
	if n <= 0 {
		return 0
	}
	return (n + step - 1) / step * step
}
