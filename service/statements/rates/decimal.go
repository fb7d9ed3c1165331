package rates

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"tarmac/service/statements/bank"
)

// decimal is the positive number digits / 10^places, without trailing zeros after the decimal mark.
type decimal struct {
	digits uint64
	places int
}

var one = decimal{digits: 1}

// maxDigits is the largest number of digits of a rate. With it, rates and powers of ten fit into 64
// bits.
const maxDigits = 18

// readDecimal parses a rate. It accepts a decimal comma only if the option selects it, because
// 1,234 may also be a thousand.
func readDecimal(line int, text string, option byte) (decimal, error) {
	mark := "."
	if strings.Contains(text, ",") {
		if option == 0 {
			return decimal{}, &bank.Question{
				Place: line, Reason: fmt.Sprintf("the comma of %q may be a decimal mark", bank.Short(text)),
				Flag: "--decimal", Choices: []string{"comma", "point"},
			}
		}
		mark = string(option)
	}
	whole, decimals, _ := strings.Cut(text, mark)
	decimals = strings.TrimRight(decimals, "0")
	all := strings.TrimLeft(whole+decimals, "0")
	digits, err := strconv.ParseUint(all, 10, 64)
	switch {
	case strings.Trim(whole+decimals, "0123456789") != "" || whole+decimals == "" && !strings.Contains(text, "0"):
		return decimal{}, bank.Errorf(line, "%q is not an exchange rate", bank.Short(text))
	case all == "":
		return decimal{}, bank.Errorf(line, "an exchange rate is 0")
	case err != nil || len(all) > maxDigits || len(decimals) > maxDigits:
		return decimal{}, bank.Errorf(line, "the exchange rate %q has too many digits", bank.Short(text))
	}
	return decimal{digits: digits, places: len(decimals)}, nil
}

// fraction returns a/b in lowest terms. It returns false if the numerator or denominator needs more
// than 63 bits.
func fraction(a, b decimal) (numerator, denominator int64, ok bool) {
	n, d := reduce(a.digits, b.digits)
	up, down := power(max(b.places-a.places, 0)), power(max(a.places-b.places, 0))
	up, d = reduce(up, d)
	n, down = reduce(n, down)
	highN, n := bits.Mul64(n, up)
	highD, d := bits.Mul64(d, down)
	return int64(n), int64(d), highN == 0 && highD == 0 && n>>63 == 0 && d>>63 == 0
}

func reduce(a, b uint64) (uint64, uint64) {
	divisor, rest := a, b
	for rest != 0 {
		divisor, rest = rest, divisor%rest
	}
	return a / divisor, b / divisor
}

// power returns 10^n. The largest n is maxDigits.
func power(n int) uint64 {
	result := uint64(1)
	for range n {
		result *= 10
	}
	return result
}
