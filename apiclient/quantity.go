package apiclient

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
)

// MaxCents is the maximum amount of a line item and of an invoice, in cents (docs/api.md, Line
// amounts).
const MaxCents = 1_000_000_000_000

// ErrQuantity is returned for text that is not a quantity.
var ErrQuantity = errors.New("must be a number such as 12.5 (up to nine digits and six decimals)")

const (
	quantityDigits = 9
	quantityPlaces = 6
	perUnit        = 1_000_000 // millionths per unit
)

// Quantity is the quantity of a line item: an exact decimal number greater than zero, with at most
// nine digits before the point and six after it (docs/api.md, Line amounts). The zero value is no
// quantity.
type Quantity struct{ millionths uint64 }

// ParseQuantity parses a positive number of the form ^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$. It
// returns ErrQuantity for all other text, including a number with spaces around it.
func ParseQuantity(s string) (Quantity, error) {
	whole, fraction, point := strings.Cut(s, ".")
	if whole == "" || len(whole) > quantityDigits || len(whole) > 1 && whole[0] == '0' ||
		point && fraction == "" || len(fraction) > quantityPlaces {
		return Quantity{}, ErrQuantity
	}
	var n uint64
	for _, c := range []byte(whole + fraction + strings.Repeat("0", quantityPlaces-len(fraction))) {
		if c < '0' || c > '9' {
			return Quantity{}, ErrQuantity
		}
		n = n*10 + uint64(c-'0')
	}
	if n == 0 {
		return Quantity{}, ErrQuantity
	}
	return Quantity{millionths: n}, nil
}

// MustQuantity parses s like ParseQuantity, but panics if s is not a quantity. Use it for
// constants.
func MustQuantity(s string) Quantity {
	q, err := ParseQuantity(s)
	if err != nil {
		panic("apiclient.MustQuantity(" + strconv.Quote(s) + "): " + err.Error())
	}
	return q
}

// IsZero reports whether q is the zero value, which is no quantity.
func (q Quantity) IsZero() bool { return q == Quantity{} }

// String returns the shortest decimal form of q, such as "1.5" for 1.500. For the zero value it
// returns "".
func (q Quantity) String() string {
	if q.IsZero() {
		return ""
	}
	whole, fraction := strconv.FormatUint(q.millionths/perUnit, 10),
		strconv.FormatUint(perUnit+q.millionths%perUnit, 10)[1:]
	if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// times returns the price of q units in cents, rounded half up. ok is false if the unit price is
// negative or the result exceeds MaxCents.
func (q Quantity) times(unitPriceCents int64) (cents int64, ok bool) {
	if unitPriceCents < 0 {
		return 0, false
	}
	high, low := bits.Mul64(q.millionths, uint64(unitPriceCents))
	low, carry := bits.Add64(low, perUnit/2, 0)
	high += carry
	if high >= perUnit {
		return 0, false
	}
	rounded, _ := bits.Div64(high, low, perUnit)
	if rounded > MaxCents {
		return 0, false
	}
	return int64(rounded), true
}
