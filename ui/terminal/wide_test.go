package terminal

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// ofFrames generates parts of frames: wide characters, combining characters, styles, borders, and
// private characters that a person typed.
var ofFrames = rapid.SampledFrom([]string{
	"東", "京", "サ", "が", "か\u3099", "한", "각\u11a8", "Ａ", "、", "a", "Ø", "…", "│", " ", "\n",
	"\x1b[7m", "\x1b[m", "😀", "👩\u200d👩", "é", "e\u0301", "漢\ufe00", "\U000F4E1C", "\U00104E1C",
})

// The terminal receives the original frame, and every character keeps its column in the renderer.
func TestHalvesAreJoinedAgainAndTakeTheRoomOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frame := strings.Join(rapid.SliceOfN(ofFrames, 0, 40).Draw(t, "frame"), "")
		halves := halve(frame)
		clean := strings.Map(func(r rune) rune {
			if isHalf(r) {
				return '\ufffd'
			}
			return r
		}, frame)
		if got := string(join(nil, []byte(halves))); got != clean {
			t.Fatalf("%q comes out as %q", clean, got)
		}
		was, is := strings.Split(clean, "\n"), strings.Split(halves, "\n")
		for i := range was {
			if ansi.StringWidth(is[i]) != ansi.StringWidth(was[i]) || ansi.StringWidthWc(is[i]) != ansi.StringWidthWc(was[i]) {
				t.Fatalf("%q is %d cells wide, its halves %d", was[i], ansi.StringWidth(was[i]), ansi.StringWidth(is[i]))
			}
		}
	})
}

// The renderer sends both halves together, except where the edge of the window separates them: a
// single half takes one cell.
func TestAHalfAloneIsABlank(t *testing.T) {
	halves := []rune(halve("東京"))
	for want, of := range map[string][]rune{
		"東京": halves,
		"東 ": halves[:3],
		" 京": halves[1:],
		"  ": {halves[0], halves[3]},
		" x": {halves[0], 'x'},
	} {
		if got := string(join(nil, []byte(string(of)))); got != want {
			t.Errorf("%q is joined to %q, want %q", of, got, want)
		}
	}
}

// A frame without wide characters is returned without copying.
func TestAFrameWithoutWideCharactersIsLeftAsItIs(t *testing.T) {
	frame := strings.Repeat("│ Søndergaard & Sønn… — ✓\n", 100)
	if n := testing.AllocsPerRun(10, func() { halve(frame) }); n != 0 {
		t.Errorf("it takes %v allocations", n)
	}
	if halve(frame) != frame {
		t.Error("it was changed")
	}
}
