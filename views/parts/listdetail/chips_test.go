package listdetail_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/theme"
	"tarmac/views/parts/listdetail"
)

func TestAChipIsWhereItIsDrawn(t *testing.T) {
	looks := theme.New(true)
	if got := ansi.Strip(listdetail.Chips(nil).Line(looks)); got != "no filter" {
		t.Errorf("without one it says %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		chips := listdetail.Chips(rapid.SliceOfN(rapid.StringMatching(`[a-z 株é]{1,9}`), 1, 4).Draw(t, "chips"))
		line := ansi.Strip(chips.Line(looks))
		for x := -1; x <= ansi.StringWidth(line); x++ {
			want, found := -1, false
			for i, end := 0, 0; i < len(chips); i++ {
				text := "[" + chips[i] + "]"
				if !strings.Contains(line, text) {
					t.Fatalf("%q lacks %q", line, text)
				}
				if x >= end && x < end+ansi.StringWidth(text) {
					want, found = i, true
				}
				end += ansi.StringWidth(text) + 1
			}
			if at, ok := chips.At(x); ok != found || ok && at != want {
				t.Fatalf("at %d of %q: %d, %v; want %d, %v", x, line, at, ok, want, found)
			}
		}
	})
}
