package collections

import (
	"math"
	"math/bits"
)

// saturated returns sum + cents*days for values that are not negative. If the result overflows, it
// returns the largest int64.
func saturated(sum, cents int64, days int) int64 {
	high, product := bits.Mul64(uint64(max(0, cents)), uint64(max(0, days)))
	total, carry := bits.Add64(product, uint64(sum), 0)
	if high > 0 || carry > 0 || total > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(total)
}
