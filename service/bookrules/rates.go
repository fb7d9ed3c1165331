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

// USD is the currency to which stored exchange rates convert.
const USD = "USD"

// Rates are exchange rates to the US dollar by currency. Those of a currency are ordered by date,
// the oldest first; if a day has several, the last of them is used. US dollars need no rate.
type Rates map[string][]bank.Rate

// Convert converts an amount of the given day between two currencies, each with its own number of
// decimals, and rounds half away from zero. It uses the rates of the newest date that has those of
// both currencies, at most MaxRateAge days before. known is false if there is no such date or the
// result overflows.
func Convert(minor int64, from, to string, day Day, rates Rates) (converted int64, known bool) {
	if from == to {
		return minor, true
	}
	quote, known := quoteSince(day-MaxRateAge, from, to, day, rates)
	if !known {
		return 0, false
	}
	return quote.Convert(minor)
}

// Valuation converts amounts to the currency in which an organization reports.
type Valuation struct {
	Currency string
	Rates    Rates
}

// Value is Convert to the currency of reports.
func (v Valuation) Value(minor int64, currency string, day Day) (value int64, known bool) {
	return Convert(minor, currency, v.Currency, day, v.Rates)
}

// Quote is the exchange rate between two currencies, from their rates to the US dollar on one date.
type Quote struct {
	Date     civil.Date
	from, to bank.Rate
}

// QuoteAt returns the exchange rate of the newest date, not later than day, that has rates of both
// currencies, however old it is. It returns false if there is none.
func QuoteAt(from, to string, day Day, rates Rates) (Quote, bool) {
	return quoteSince(0, from, to, day, rates)
}

// quoteSince is QuoteAt for dates that are not before the day oldest.
func quoteSince(oldest Day, from, to string, day Day, rates Rates) (Quote, bool) {
	for day >= oldest {
		source, known := rates.at(from, day)
		if !known {
			return Quote{}, false
		}
		target, known := rates.at(to, day)
		if !known {
			return Quote{}, false
		}
		// The rate of the US dollar holds for all days.
		date := min(DayOf(source.Date), DayOf(target.Date))
		if from == USD || to == USD || source.Date == target.Date {
			return Quote{date.Date(), source, target}, date >= oldest
		}
		day = date
	}
	return Quote{}, false
}

// at returns the newest rate of a currency that is not later than day, however old it is. It
// returns false if there is none.
func (r Rates) at(currency string, day Day) (bank.Rate, bool) {
	if currency == USD {
		return bank.Rate{Date: day.Date(), Currency: USD, Numerator: 1, Denominator: 1}, true
	}
	rates := r[currency]
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

// WithoutRate returns the lines of an account in a currency whose amounts are unknown in another,
// because no rates of one date are at most MaxRateAge days older.
func WithoutRate(merged []Merged, from, to string, rates Rates) (without []Merged) {
	for _, m := range merged {
		if _, known := Convert(0, from, to, m.Day, rates); !known {
			without = append(without, m)
		}
	}
	return without
}

// rateDecimals is the largest number of decimals in RateText. With it, the rates of the weakest
// currencies still have six significant digits.
const rateDecimals = 12

// NearRates reports whether two rates of a currency differ by at most a twentieth of the second.
func NearRates(a, b bank.Rate) bool {
	first, second := big.NewRat(a.Numerator, a.Denominator), big.NewRat(b.Numerator, b.Denominator)
	apart := new(big.Rat).Sub(first, second)
	return apart.Abs(apart).Cmp(second.Mul(second, big.NewRat(1, 20))) <= 0
}

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

// ECBPublishes reports whether the European Central Bank publishes rates of a currency. Those of
// the US dollar are its rates of the euro.
func ECBPublishes(currency string) bool {
	return currency == USD || slices.Contains(ecbCurrencies, currency)
}

// Convert converts an amount in minor units of the first currency to minor units of the second, and
// rounds half away from zero. ok is false if the result overflows.
func (q Quote) Convert(minor int64) (converted int64, ok bool) {
	numerator := new(big.Int).Mul(big.NewInt(minor), big.NewInt(q.from.Numerator))
	denominator := big.NewInt(q.from.Denominator)
	if q.to.Currency != USD {
		numerator.Mul(numerator, big.NewInt(q.to.Denominator))
		denominator.Mul(denominator, big.NewInt(q.to.Numerator))
	}
	shift := money.Exponent(q.to.Currency) - money.Exponent(q.from.Currency)
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
