package chart

import (
	"slices"
	"strings"
)

// columns are the characters that fill one to seven eighths of a cell from below. The full block is
// left out, so that the bars of two lines of a table do not touch.
var columns = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇"}

// Spark draws values as bars of one line, at most width cells wide, with a gap between bars if all
// have room for it. If not all values fit, the first ones are left out. A positive value is always
// visible; others get no bar. The text has no style.
func Spark(values []int64, width int) string {
	if len(values) == 0 || width <= 0 {
		return ""
	}
	values = values[max(0, len(values)-width):]
	slot := width / len(values)
	gap := ""
	if slot > 1 {
		gap = " "
	}
	highest := slices.Max(values)
	var b strings.Builder
	for _, v := range values {
		bar := " "
		if v > 0 {
			// Division first would lose small values; multiplication first could overflow.
			bar = columns[min(len(columns)-1, int(float64(v)/float64(highest)*float64(len(columns))))]
		}
		b.WriteString(strings.Repeat(bar, slot-len(gap)) + gap)
	}
	return strings.TrimSuffix(b.String(), gap)
}

// Signed draws a value as a bar in width cells: to the right of an axis in the middle if it is
// positive, and to the left if it is negative. A bar of largest, the largest absolute value,
// reaches the edge. The text has no style.
func Signed(value, largest int64, width int) string {
	half := (width - 1) / 2
	if half <= 0 {
		return ""
	}
	size := int64(0)
	if value != 0 && largest != 0 {
		size = max(1, int64(abs(value)/abs(largest)*float64(half)+0.5))
	}
	bar := strings.Repeat("█", int(min(size, int64(half))))
	blank := strings.Repeat(" ", half-int(min(size, int64(half))))
	if value < 0 {
		return blank + bar + "│" + strings.Repeat(" ", half)
	}
	return strings.Repeat(" ", half) + "│" + bar + blank
}

func abs(n int64) float64 { return max(float64(n), -float64(n)) }
