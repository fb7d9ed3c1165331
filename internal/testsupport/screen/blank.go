package screen

import "strings"

// LargestBlank returns the size of the largest rectangle of blank cells in the body of a screen of
// the given width, in percent of the body. The body is what is between the tabs and the footer.
func LargestBlank(drawn string, width int) int {
	lines := strings.Split(strings.TrimRight(drawn, "\n"), "\n")
	if len(lines) < 4 {
		return 100
	}
	body := lines[2 : len(lines)-1]
	heights, largest := make([]int, width), 0
	for _, line := range body {
		cells := []rune(line + strings.Repeat(" ", width))
		for x := range width {
			if heights[x]++; cells[x] != ' ' {
				heights[x] = 0
			}
		}
		for x := range width {
			for left, height := x, heights[x]; left >= 0 && height > 0; left-- {
				height = min(height, heights[left])
				largest = max(largest, height*(x-left+1))
			}
		}
	}
	return 100 * largest / (width * len(body))
}
