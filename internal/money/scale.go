package money

import (
	"math"
	"strconv"
	"strings"
)

// Scale writes the amounts of a column in one unit, such as thousands of dollars, and with the same
// number of decimal places. The head of the column names the unit.
type Scale struct {
	Unit     string // such as "$k" or "M CHF"
	step     int64  // minor units of the last place
	decimals int
}

// units are the factors of the units of a Scale, with their names.
var units = [...]struct {
	name string
	one  int64
}{{"", 1}, {"k", 1_000}, {"M", 1_000_000}, {"B", 1_000_000_000}, {"T", 1_000_000_000_000}}

// ScaleOf returns the smallest unit in which an amount in minor units has at most the given number
// of whole digits. If it has fewer digits than digits, decimal places follow.
func ScaleOf(largest int64, currency string, whole, digits int) Scale {
	one := One(currency)
	for i, s := range units {
		length := len(strconv.FormatUint(magnitude(largest)/uint64(one*s.one), 10))
		if length > whole && i < len(units)-1 {
			continue
		}
		return newScale(s.name, currency, one*s.one, max(0, digits-length))
	}
	return Scale{}
}

// ScaleOfError returns the scale for estimates of at most the given size, the error of which is at
// most miss: its last place is the second digit of the error, but they have no more than three
// digits. Without an error, they have two.
func ScaleOfError(largest, miss int64, currency string) Scale {
	if miss <= 0 {
		return ScaleOf(largest, currency, 3, 2)
	}
	place := int64(1)
	for up(miss, place) > 99 {
		place *= 10
	}
	return ScaleOf(largest, currency, 3, 1).to(max(place, ScaleOf(largest, currency, 3, 3).step))
}

// ScaleOfShort returns the scale in which Short writes an amount.
func ScaleOfShort(minor int64, currency string) Scale {
	one := One(currency)
	text := short(minor, uint64(one), 1)
	number := strings.TrimRight(text, "kMBT")
	_, decimals, _ := strings.Cut(number, ".")
	for _, u := range units {
		if u.name == text[len(number):] {
			return newScale(u.name, currency, one*u.one, len(decimals))
		}
	}
	return Scale{}
}

// Finer returns the scale for parts of an estimate, of at most the given size: with one more place.
func (s Scale) Finer(largest int64, currency string) Scale {
	return ScaleOf(largest, currency, 4, 1).to(max(1, s.step/10))
}

// Place returns the last place of the scale, in minor units.
func (s Scale) Place() int64 { return s.step }

// to returns a scale in the same unit down to the given place.
func (s Scale) to(place int64) Scale {
	for ; s.step > place && s.step >= 10; s.step /= 10 {
		s.decimals++
	}
	return s
}

// newScale returns a scale whose unit has the given number of minor units. It has no more decimal
// places than the currency.
func newScale(name, currency string, unit int64, decimals int) Scale {
	s := Scale{Unit: Unit(name, currency), step: unit}
	for ; s.decimals < decimals && s.step >= 10; s.decimals++ {
		s.step /= 10
	}
	return s
}

// Text returns an amount in the unit, rounded half away from zero, such as "-1,234" or "3.76".
func (s Scale) Text(minor int64) string {
	n := (magnitude(minor) + uint64(s.step)/2) / uint64(s.step)
	return s.write(n, minor < 0)
}

// Up returns an error of an estimate, rounded up to the last place of the scale.
func (s Scale) Up(minor int64) string { return s.write(up(minor, s.step), false) }

func (s Scale) write(n uint64, negative bool) string {
	text := format(int64(min(n, math.MaxInt64)), s.decimals)
	if negative && n > 0 {
		return "-" + text
	}
	return text
}

// Round returns an amount as Text does, without zeros at the end of its decimals.
func (s Scale) Round(minor int64) string {
	text := s.Text(minor)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// With returns an amount with its currency and unit, such as "$3.76M" or "3.76M CHF".
func (s Scale) With(minor int64) string { return withUnit(s.Text(minor), s.Unit) }

// UpWith returns an error of an estimate as Up does, with its currency and unit.
func (s Scale) UpWith(minor int64) string { return withUnit(s.Up(minor), s.Unit) }

// withUnit writes a unit as Unit returns it around a number.
func withUnit(number, unit string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(number, "-"); negative {
		sign, number = "-", rest
	}
	scale := strings.TrimLeft(unit, "$€£¥")
	symbol := strings.TrimSuffix(unit, scale)
	if len(scale) > 0 && symbol == "" && !strings.Contains(scale, " ") && len(scale) > 1 {
		scale = " " + scale // a code without a scale
	}
	return sign + symbol + number + scale
}

// up divides by a place and rounds up.
func up(minor, place int64) uint64 {
	return (magnitude(minor) + uint64(place) - 1) / uint64(place)
}

// magnitude returns the absolute value of an amount, also of the smallest integer.
func magnitude(minor int64) uint64 {
	if minor < 0 {
		return -uint64(minor)
	}
	return uint64(minor)
}
