package apiclient

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
)

// MaxCents is the most that a line or an invoice may come to, in cents
// (docs/api.md, Line amounts).
const MaxCents = 1_000_000_000_000

// ErrQuantity is returned for text that is not a quantity.
var ErrQuantity = errors.New("must be a number such as 12.5: more than 0, at most nine digits and six decimals")

const (
	quantityDigits = 9
	quantityPlaces = 6
	perUnit        = 1_000_000 // millionths
)

// Quantity is how much of something a line item is for: an exact decimal greater
// than zero, with at most nine digits before the point and six after it
// (docs/api.md, Line amounts). The zero value is no quantity.
type Quantity struct{ millionths uint64 }

// ParseQuantity reads ^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$, more than zero. It
// returns ErrQuantity for all other text, blanks around a quantity included.
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

// MustQuantity is ParseQuantity for quantities written in the program; it panics
// on a bad one.
func MustQuantity(s string) Quantity {
	q, err := ParseQuantity(s)
	if err != nil {
		panic("apiclient.MustQuantity(" + strconv.Quote(s) + "): " + err.Error())
	}
	return q
}

// IsZero reports whether q is no quantity.
func (q Quantity) IsZero() bool { return q == Quantity{} }

// String returns the shortest decimal that ParseQuantity reads as q: "1.5" for
// 1.500. It is "" for the zero value.
func (q Quantity) String() string {
	if q.IsZero() {
		return ""
	}
	whole, fraction := strconv.FormatUint(
		q.millionths/perUnit,
		10,
	), strconv.FormatUint(perUnit+q.millionths%perUnit, 10)[1:]
	if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// times returns what q comes to at a price in cents: the exact product, rounded
// half up to the cent. It is not ok for a negative price, and above MaxCents.
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
