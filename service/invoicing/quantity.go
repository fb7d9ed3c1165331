package invoicing

import (
	"errors"
	"math/bits"
	"strings"
)

// MaxCents is the most that a line or an invoice may come to (docs/api.md, Line
// amounts).
const MaxCents = 1_000_000_000_000

// ErrQuantity is returned for text that is not a quantity.
var ErrQuantity = errors.New("not a decimal greater than zero, of at most nine digits and six places")

const (
	wholeDigits = 9
	places      = 6
	perUnit     = 1_000_000 // millionths
)

// Quantity is how much of something a line is for: a decimal greater than zero,
// of at most nine digits before the point and six after it (docs/api.md, Line
// amounts).
type Quantity struct{ millionths uint64 }

// ParseQuantity reads a quantity: ^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$, and more
// than zero. It returns ErrQuantity for all other text.
func ParseQuantity(s string) (Quantity, error) {
	whole, fraction, hasPoint := strings.Cut(s, ".")
	if len(whole) == 0 || len(whole) > wholeDigits || len(whole) > 1 && whole[0] == '0' ||
		hasPoint && len(fraction) == 0 || len(fraction) > places {
		return Quantity{}, ErrQuantity
	}
	var n uint64
	for _, c := range []byte(whole + fraction + strings.Repeat("0", places-len(fraction))) {
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

// Times returns what the quantity comes to at a price of so many cents a unit:
// the exact product, rounded half up to the cent. It is not ok for a negative
// price, and for more than MaxCents.
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
