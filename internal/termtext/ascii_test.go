package termtext_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
)

func TestASCIIKeepsFramesBarsAndSigns(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                               "plain",
		"╭─ Cash ─╮":                          "+- Cash -+",
		"│ ▂▃▅▆█ │":                           "| _-=%# |",
		"── cash  ╌╌ partial ":                "-- cash  ~~ partial ",
		"\x1b[1m● live\x1b[m ◌ stale ✕ off":   "\x1b[1m* live\x1b[m o stale x off",
		"≥$1,234.00 · —  1–30 days …":         ">$1,234.00 . -  1-30 days .",
		"⠒⠒⠤⣀⡀⢕⡪⠑⢄⠡⢂⠌⡐⡇⢸⠂⣿":                   "---_.::--\\\\//||.#",
		"株式会社 Müller":                         "???????? M?ller",
		"€4.27M ÷ €304k a month, ±€43k":       "E4.27M / E304k a month, +E43k",
		"e\u0301\u0302a":                      "ea",
		"0\u0f3e, and \u0f3e":                 "0, and ",
		"\x1b[1m\u0f3e\x1b[m":                 "\x1b[1m?\x1b[m",
		"1\ufe0f\u20e3 ":                      "1? ",
		"🇩🇪 é":                                "?? ?",
		"\x1b]2;tarmac · work · Events\x07ok": "\x1b]2;tarmac . work . Events\x07ok",
	} {
		got, rest := termtext.AppendASCII(nil, []byte(text))
		if string(got) != want || len(rest) > 0 {
			t.Errorf("%q becomes %q with %q left, not %q", text, got, rest, want)
		}
		if ansi.StringWidth(string(got)) != ansi.StringWidth(text) {
			t.Errorf("%q is %d cells wide, and %q is %d", text, ansi.StringWidth(text), got, ansi.StringWidth(string(got)))
		}
	}
}

func TestASCIILeavesACharacterThatIsNotWholeYet(t *testing.T) {
	whole := []byte("a—")

	got, rest := termtext.AppendASCII(nil, whole[:3])

	if string(got) != "a" || string(rest) != string(whole[1:3]) {
		t.Errorf("%q, and %q is left", got, rest)
	}
}

func FuzzASCII(f *testing.F) {
	f.Add("╭─ 株式会社 ─╮ e\u0301 🇩🇪 \x1b[31m—\xff")
	f.Fuzz(func(t *testing.T, text string) {
		text = termtext.Block(text)
		got, rest := termtext.AppendASCII(nil, []byte(text))
		for _, c := range got {
			if c >= 0x80 {
				t.Fatalf("%q becomes %q", text, got)
			}
		}
		if len(rest) > 0 || ansi.StringWidth(string(got)) != ansi.StringWidth(text) {
			t.Fatalf("%q becomes %q, and %q is left", text, got, rest)
		}
	})
}
