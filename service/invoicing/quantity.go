package invoicing

import (
	"errors"
	"math/bits"
	"strings"
)

// MaxCents is the largest amount of a line or an invoice, in cents (docs/api.md, Line amounts).
const MaxCents = 1_000_000_000_000

// ErrQuantity is returned by ParseQuantity for text that is not a quantity.
var ErrQuantity = errors.New("not a decimal greater than zero, of at most nine digits and six places")

const (
	maxWholeDigits = 9
	maxPlaces      = 6
	perUnit        = 1_000_000 // number of millionths in one unit
)

// Quantity is a line item's quantity: a decimal greater than zero with at most nine digits before
// the point and six after it (docs/api.md, Line amounts).
type Quantity struct{ millionths uint64 }

// ParseQuantity parses a quantity, which must match ^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$ and be
// greater than zero. It returns ErrQuantity for any other text.
func ParseQuantity(s string) (Quantity, error) {
	whole, fraction, hasPoint := strings.Cut(s, ".")
	if len(whole) == 0 || len(whole) > maxWholeDigits || len(whole) > 1 && whole[0] == '0' ||
		hasPoint && len(fraction) == 0 || len(fraction) > maxPlaces {
		return Quantity{}, ErrQuantity
	}
	var n uint64
	for _, c := range []byte(whole + fraction + strings.Repeat("0", maxPlaces-len(fraction))) {
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

// Times returns the quantity multiplied by a price, in cents, rounded half up. ok is false if the
// price is negative or the result exceeds MaxCents.
func (q Quantity) Times(unitPriceCents int64) (cents int64, ok bool) {
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
