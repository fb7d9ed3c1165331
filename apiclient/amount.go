package apiclient

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"tarmac/internal/money"
)

// DefaultCurrency is the currency of totals, balances and receivables unless the server says that
// they are in another one.
const DefaultCurrency = "USD"

// Amount is an amount of money that may be unknown (docs/api.md, Unknown amounts). The zero value
// is an unknown amount. Only the method Minor returns the number, together with whether it is
// known, so that a placeholder is never shown as money.
type Amount struct {
	minor    int64
	currency string
	known    bool
}

// NewAmount returns a known amount in minor units of an ISO 4217 currency.
func NewAmount(minor int64, currency string) Amount {
	return Amount{minor: minor, currency: currency, known: true}
}

// UnknownAmount returns an unknown amount in the given currency.
func UnknownAmount(currency string) Amount { return Amount{currency: currency} }

// Minor returns the amount in minor units, such as cents for USD, and true. For an unknown amount
// it returns 0 and false.
func (a Amount) Minor() (int64, bool) {
	if !a.known {
		return 0, false
	}
	return a.minor, true
}

// Known reports whether the amount is known.
func (a Amount) Known() bool { return a.known }

// Currency returns the ISO 4217 code of the currency. It returns "" if the server sent none.
func (a Amount) Currency() string { return a.currency }

// String returns the amount as text, such as "$1,234.56" or "1,234.56 CHF", and "—" for an unknown
// amount.
func (a Amount) String() string {
	if !a.known {
		return money.Dash
	}
	return money.Text(a.minor, a.currency)
}

// Months is a number of months with one decimal place.
type Months struct{ tenths int64 }

// MonthsOf returns tenths of a month as Months: MonthsOf(142) is 14.2 months.
func MonthsOf(tenths int64) Months { return Months{tenths: tenths} }

// Tenths returns the number of tenths of a month.
func (m Months) Tenths() int64 { return m.tenths }

// String returns the number of months with one decimal place, such as "14.2".
func (m Months) String() string {
	whole, tenth := m.tenths/10, m.tenths%10
	if m.tenths < 0 {
		return "-" + Months{tenths: -m.tenths}.String()
	}
	return strconv.FormatInt(whole, 10) + "." + strconv.FormatInt(tenth, 10)
}

var errMonths = errors.New("is not a number of months")

// parseMonths parses a JSON number and rounds it down to tenths, without floating point. It returns
// an error for negative numbers and for more than 100 million months.
func parseMonths(number string) (Months, error) {
	if mantissa, exponent, ok := strings.Cut(strings.ToLower(number), "e"); ok {
		// Refuse large exponents, for which big.Rat would allocate memory without limit.
		if n, err := strconv.Atoi(exponent); err != nil || n < -20 || n > 20 || mantissa == "" {
			return Months{}, errMonths
		}
	}
	if len(number) > 40 {
		return Months{}, errMonths
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok || value.Sign() < 0 {
		return Months{}, errMonths
	}
	value.Mul(value, big.NewRat(10, 1))
	tenths := new(big.Int).Quo(value.Num(), value.Denom())
	if !tenths.IsInt64() || tenths.Int64() > 1e9 {
		return Months{}, errMonths
	}
	return Months{tenths: tenths.Int64()}, nil
}
