package terminal

import "bytes"

// Bubble Tea's renderer scrolls rows within a scroll region and then sets the region to the height
// that it knows. If the window has grown in the meantime, the lower rows stay outside the region,
// and a frame drawn after that scrolls its own header away. The renderer clears the screen before
// it draws a frame of a new size, so output resets the region there (docs/dependencies.md).

const (
	clearScreen = "\x1b[H\x1b[2J" // moves the cursor to the first cell and clears the screen
	resetRegion = "\x1b[r"        // makes all rows the scroll region, and moves the cursor
)

// withWholeRegion resets the scroll region wherever the output clears the screen.
func withWholeRegion(output []byte) []byte {
	if !bytes.Contains(output, []byte(clearScreen)) {
		return output
	}
	return bytes.ReplaceAll(output, []byte(clearScreen), []byte(resetRegion+clearScreen))
}
