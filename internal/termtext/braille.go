package termtext

// A braille character has the number brailleFirst plus the bits of its dots. leftDots and rightDots
// are the bits of its two columns, from top to bottom.
const (
	brailleFirst = 0x2800
	brailleLast  = 0x28ff
)

var (
	leftDots  = [...]rune{0x01, 0x02, 0x04, 0x40}
	rightDots = [...]rune{0x08, 0x10, 0x20, 0x80}
)

// brailleASCII returns the ASCII character that looks most like a braille character of a chart: a
// piece of a line, a single dot, or a shaded area.
func brailleASCII(r rune) byte {
	left, leftSum := dotsOf(r, leftDots)
	right, rightSum := dotsOf(r, rightDots)
	switch {
	case left+right == 0:
		return ' '
	case left+right == 1:
		return '.'
	case left == 2 && right == 2 && leftSum+rightSum == 6 && leftSum != rightSum:
		return ':' // every second dot
	case left+right > 5:
		return '#'
	case left > 2 || right > 2 || left == 0 || right == 0:
		return '|'
	}
	// Between the mean rows of the two columns, multiplied by the numbers of dots.
	switch falls := rightSum*left - leftSum*right; {
	case falls > left*right:
		return '\\'
	case falls < -left*right:
		return '/'
	case leftSum*right+rightSum*left > 5*left*right:
		return '_'
	}
	return '-'
}

// dotsOf returns the number of dots in a column, and the sum of their rows, which count from 0.
func dotsOf(r rune, column [4]rune) (n, sum int) {
	for row, bit := range column {
		if r&bit != 0 {
			n++
			sum += row
		}
	}
	return n, sum
}
