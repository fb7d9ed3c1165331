//go:build unix

package testterminal

import (
	"slices"
	"testing"
)

func TestWhatIsLeftOnIsSeen(t *testing.T) {
	for output, want := range map[string][]string{
		"":                                       nil,
		"\x1b[?1049h\x1b[?25lx":                  {"mode 1049", "mode 25"},
		"\x1b[?25l\x1b[?25h":                     nil,
		"\x1b[?1002;1006h\x1b[?1002l":            {"mode 1006"},
		"\x1b[>1u\x1b[>1u\x1b[<u":                {"the keyboard's pile"},
		"\x1b[=1;1u\x1b[>4;2m":                   {"other keys", "the keyboard's flags"},
		"\x1b[=1;1u\x1b[=0;1u\x1b[>4;2m\x1b[>4m": nil,
		"\x1b]2;tarmac\x07":                      {"the title"},
	} {
		if got := modesLeftOn(output); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
