//go:build unix

package testterminal

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestFramesAreShownWhole(t *testing.T) {
	const begin, end = ansi.SetModeSynchronizedOutput, ansi.ResetModeSynchronizedOutput
	whole := "a" + begin + "b\x1b[1;1Hc" + end + "d" + begin + "e" + end
	for at := range len(whole) {
		var frames wholeFrames
		first := string(frames.of([]byte(whole[:at])))
		if opened := strings.LastIndex(first, begin); opened >= 0 && !strings.Contains(first[opened:], end) ||
			strings.HasSuffix(first, "\x1b") {
			t.Errorf("cut at %d: %q is shown", at, first)
		}
		if all := first + string(frames.of([]byte(whole[at:]))); all != whole {
			t.Errorf("cut at %d: %q", at, all)
		}
	}
}
