package figures

import (
	"math"

	"tarmac/internal/money"
)

// Term is a total that is added to a sum or, if Less is true, subtracted from it.
type Term struct {
	Total *Total
	Less  bool
}

// RoundToAddUp rounds a sum and its terms to the last place of a scale, so that the terms as shown
// add up to the sum as shown. The sum is rounded to the nearest. A term may be rounded to the next
// place beyond the nearest, but a lower bound is never more, and an upper bound never less, than
// before. Zero stays zero. RoundToAddUp returns false and rounds nothing if one of them is unknown
// or too large, or if the terms do not add up to the sum.
func RoundToAddUp(scale money.Scale, sum *Total, terms ...Term) (ok bool) {
	place := scale.Place()
	if place < 1 || !addUp(*sum, terms, place) {
		return false
	}
	shown := sum.places(place)
	left := -shown
	places := make([]int64, len(terms))
	for i, t := range terms {
		places[i] = t.Total.places(place)
		left += t.sign() * places[i]
	}
	for left != 0 {
		step := int64(1)
		if left > 0 {
			step = -1
		}
		nearest, least := -1, uint64(0)
		for i, t := range terms {
			to := places[i] + t.sign()*step
			if off := magnitude(to*place - t.Total.Minor); t.Total.mayBe(to*place) && (nearest < 0 || off < least) {
				nearest, least = i, off
			}
		}
		if nearest < 0 {
			break
		}
		places[nearest] += terms[nearest].sign() * step
		left += step
	}
	sum.Minor = (shown + left) * place
	for i, t := range terms {
		t.Total.Minor = places[i] * place
	}
	return true
}

// addUp reports whether the terms are known and add up to the sum, and whether none is so large
// that it could not be rounded.
func addUp(sum Total, terms []Term, place int64) bool {
	most := uint64(math.MaxInt64 / int64(len(terms)+2))
	if most < 4*uint64(place) || sum.Unknown || magnitude(sum.Minor) > most-2*uint64(place) {
		return false
	}
	left := -sum.Minor
	for _, t := range terms {
		if t.Total.Unknown || magnitude(t.Total.Minor) > most-2*uint64(place) {
			return false
		}
		left += t.sign() * t.Total.Minor
	}
	return left == 0
}

func (t Term) sign() int64 {
	if t.Less {
		return -1
	}
	return 1
}

// places returns the total in units of a place: rounded to the nearest, half away from zero, or
// down or up as a bound is.
func (s Total) places(place int64) int64 {
	down, rest := s.Minor/place, s.Minor%place
	if rest < 0 {
		down, rest = down-1, rest+place
	}
	up := rest > 0 && (2*rest > place || 2*rest == place && s.Minor > 0)
	switch s.Mark() {
	case AtLeast:
		up = false
	case AtMost:
		up = rest > 0
	}
	if up {
		down++
	}
	return down
}

// mayBe reports whether the total may be shown as the given amount.
func (s Total) mayBe(minor int64) bool {
	switch mark := s.Mark(); {
	case s.Minor == 0, s.Minor > 0 != (minor > 0) && minor != 0:
		return false
	case mark == AtLeast:
		return minor <= s.Minor
	case mark == AtMost:
		return minor >= s.Minor
	}
	return true
}

func magnitude(minor int64) uint64 {
	if minor < 0 {
		return -uint64(minor)
	}
	return uint64(minor)
}
