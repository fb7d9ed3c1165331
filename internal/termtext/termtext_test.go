package termtext_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tarmac/internal/termtext"
)

func TestLine(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain": {"Acme, Inc. (EU) ~ 12%", "Acme, Inc. (EU) ~ 12%"},
		"empty": {"", ""},
		"accents and scripts": {"Łukasz 株式会社 Ünïcode Ελλάδα",
			"Łukasz 株式会社 Ünïcode Ελλάδα"},
		"decomposed accent":       {"Cafe\u0301", "Cafe\u0301"},
		"burmese":                 {"ကြို့", "ကြို့"},
		"csi colour":              {"a\x1b[31mred\x1b[0mb", "aredb"},
		"csi private":             {"\x1b[?1049hx", "x"},
		"csi never closed":        {"pay \x1b[12;", "pay 12;"},
		"csi cut by text":         {"pay \x1b[12\nnext", "pay 12 next"},
		"osc title, bell":         {"\x1b]0;owned\x07ok", "ok"},
		"osc 8 link":              {"\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"},
		"osc 52 clipboard":        {"\x1b]52;c;cm0gLXJmIC8=\x07ok", "ok"},
		"osc never closed":        {"\x1b]0;keeps the rest", "0;keeps the rest"},
		"osc cut by a sequence":   {"\x1b]0;a\x1b[31mb", "0;ab"},
		"dcs":                     {"\x1bP+q544e\x1b\\ok", "ok"},
		"apc pm sos":              {"\x1b_a\x1b\\1\x1b^b\x1b\\2\x1bXc\x1b\\3", "123"},
		"charset, reset":          {"\x1b(0a\x1bcb\x1b7c", "abc"},
		"esc at the end":          {"abc\x1b", "abc"},
		"esc esc":                 {"\x1b\x1b[31mx", "x"},
		"c1 csi rune":             {"a\u009b31mb", "ab"},
		"c1 csi raw":              {"a\x9b31mb", "ab"},
		"c1 osc raw, st raw":      {"a\x9d0;t\x9cb", "ab"},
		"c1 osc rune, st rune":    {"a\u009d0;t\u009cb", "ab"},
		"c1 others":               {"a\u0084\u0090b", "ab"},
		"bell backspace delete":   {"a\a\b\x7fb\x00", "ab"},
		"tabs and line ends":      {"a\t\t\r\n b\vc\u2028d\u0085e", "a  b c d e"},
		"line end first":          {"\n\na", "a"},
		"bidi override":           {"amount \u202e00.1$\u202c", "amount 00.1$"},
		"bidi isolates and marks": {"\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c", "abc"},
		"zero width":              {"pay\u200bpal\u200c\u200d\ufeff\u2060\u2064", "paypal"},
		"soft hyphen":             {"pay\u00adpal", "paypal"},
		"tags":                    {"x\U000e0041\U000e007f", "x"},
		"hangul fillers":          {"a\u3164\u115f\u1160\uffa0b", "ab"},
		"empty braille":           {"a\u2800b", "ab"},
		"variation selectors":     {"❤\ufe0f\u2764\ufe0e\U000e0100", "❤❤"},
		"family":                  {"👨\u200d👩\u200d👧", "👨👩👧"},
		"skin tone":               {"👍\U0001f3fd", "👍"},
		"private use":             {"a\ue000\U000f0000b", "a\ufffd\ufffdb"},
		"noncharacters":           {"a\ufffe\ufdd0\U0010ffffb", "a\ufffd\ufffd\ufffdb"},
		"unassigned":              {"a\U000113d1\u0378b", "a\ufffd\ufffdb"},
		"joins what follows":      {"a\u0d4eb", "a\ufffdb"},
		"invalid utf-8":           {"a\xff\xe2\x28b", "a\ufffd\ufffd(b"},
		"surrogate bytes":         {"\xed\xa0\xbdx", "\ufffd\ufffd\ufffdx"},
		"zalgo":                   {"Z\u0300\u0301\u0302\u0303\u0304o", "Z\u0300\u0301\u0302o"},
		"zalgo through a joiner":  {"Z\u0300\u0301\u0302\u200d\u0303", "Z\u0300\u0301\u0302"},
		"mark without a base":     {"\u0301abc", "abc"},
	} {
		if got := termtext.Line(c.in); got != c.want {
			t.Errorf("%s: Line(%q) = %q, want %q", name, c.in, got, c.want)
		}
	}
}

func TestBlockKeepsLines(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb":                     "a\nb",
		"a\r\nb\rc\u2028d":         "a\nb\nc\nd",
		"{\n\t\"a\": \"\x1b[2J\"}": "{\n\"a\": \"\"}",
		"a\n\u0301b":               "a\nb",
	} {
		if got := termtext.Block(in); got != want {
			t.Errorf("Block(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLengthIsCapped(t *testing.T) {
	whole := strings.Repeat("é", termtext.MaxLine)
	if got := termtext.Line(whole); got != whole {
		t.Errorf("a line of exactly MaxLine runes was changed")
	}
	for _, long := range []string{whole + "x", strings.Repeat("x", termtext.MaxLine+1), strings.Repeat("x", 1<<20)} {
		got := termtext.Line(long)
		if n := utf8.RuneCountInString(got); n != termtext.MaxLine+1 || !strings.HasSuffix(got, "…") {
			t.Errorf("a line of %d bytes became %d runes ending in %q", len(long), n, got[len(got)-3:])
		}
	}
	if n := utf8.RuneCountInString(termtext.Block(strings.Repeat("x\n", termtext.MaxBlock))); n != termtext.MaxBlock+1 {
		t.Errorf("a block became %d runes", n)
	}
}

func TestPlainTextIsNotCopied(t *testing.T) {
	s := "Stripe payout, batch 4411"
	if n := testing.AllocsPerRun(100, func() {
		if termtext.Line(s) != s || termtext.Block(s) != s {
			t.Fatal("plain text was changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations for plain text", n)
	}
}

// attack generates text from pieces that harm terminals.
func attack(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\x1b", "\x1b[", "\x1b]", "\x1b]0;", "\x1bP", "\x1b\\", "\x07", "\x9b", "\x9c", "\x9d", "\u009b", "\u009c", "\u009d",
			"\u202e", "\u200d", "\ufe0f", "\u0301", "\u0302", "\n", "\r", "\r\n", "\t", " ", "\u2028", "31m", "0;x", "👍",
			"株", "e", "1",
			"\U0001f1fa", "\U0001f1f8", "\u20e3", "\u3164", "\xff", "\xe2\x80", "\ue000", "\u0e33", "\u1100", "\u1161", "က",
			"ြ",
		}),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) }),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
}

func check(t interface{ Fatalf(string, ...any) }, in string) {
	for name, f := range map[string]func(string) string{"Line": termtext.Line, "Block": termtext.Block} {
		out := f(in)
		if !utf8.ValidString(out) {
			t.Fatalf("%s(%q) = %q is not UTF-8", name, in, out)
		}
		for _, r := range out {
			if unicode.Is(unicode.Cc, r) && (name != "Block" || r != '\n') ||
				unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector) {
				t.Fatalf("%s(%q) = %q keeps %U", name, in, out, r)
			}
		}
		if again := f(out); again != out {
			t.Fatalf("%s is not idempotent: %q, %q, %q", name, in, out, again)
		}
		if n := utf8.RuneCountInString(out); n > utf8.RuneCountInString(in) {
			t.Fatalf("%s(%q) grew to %q", name, in, out)
		}
	}
}

func TestCleanTextHoldsNothingHarmful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { check(t, attack(t)) })
}

// Letters outside all sequences survive cleaning: an unterminated sequence cannot hide the
// text after it.
func TestAnUnclosedStringHidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		introducer := rapid.SampledFrom([]string{"\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\u009d", "\x9d", "\u0090"}).
			Draw(t, "introducer")
		text := rapid.StringMatching(`[a-zA-Z0-9 ;,.$]{1,40}`).Draw(t, "text")
		if got := termtext.Line(introducer + text); got != text {
			t.Fatalf("%q after %q became %q", text, introducer, got)
		}
		if got := termtext.Line(introducer + text + "\x1b\\" + "rest"); got != "rest" {
			t.Fatalf("closed %q left %q", introducer, got)
		}
	})
}

func TestFitIsExact(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"abc", 5, "abc  "}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 0, ""}, {"abc", -1, ""}, {"abc", 1, "…"},
		{"株式会社", 5, "株式…"}, {"株式会社", 4, "株… "}, {"", 2, "  "},
	} {
		if got := termtext.Fit(c.in, c.width); got != c.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, width := termtext.Line(attack(t)), rapid.IntRange(1, 120).Draw(t, "width")
		if got := termtext.Fit(s, width); termtext.Width(got) != width {
			t.Fatalf("Fit(%q, %d) = %q takes %d cells", s, width, got, termtext.Width(got))
		}
	})
}

func TestFitEndKeepsTheEnd(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"INV-2026-00042", 16, "INV-2026-00042  "}, {"INV-2026-00042", 14, "INV-2026-00042"},
		{"INV-2026-00042", 8, "…6-00042"},
		{"INV-2026-00042", 1, "…"}, {"INV-2026-00042", 0, ""}, {"株式会社", 4, "…社 "},
	} {
		if got := termtext.FitEnd(c.in, c.width); got != c.want {
			t.Errorf("FitEnd(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, width := termtext.Line(attack(t)), rapid.IntRange(1, 120).Draw(t, "width")
		if got := termtext.FitEnd(s, width); termtext.Width(got) != width {
			t.Fatalf("FitEnd(%q, %d) = %q takes %d cells", s, width, got, termtext.Width(got))
		}
	})
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"Acme, Inc.", "\x1b]0;owned\x07", "\x1b]52;c;cm0=\x1b\\", "\x1b[2J\x1b[H$0.00", "\x9b31m", "\u202e00.001$", "a\x1b",
		"\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "\x1bP$q\"p\x1b\\",
		"Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢", "👨\u200d👩\u200d👧\u200d👦", "1\ufe0f\u20e3",
		"\U0001f3f4\U000e0067\U000e007f",
		"\xff\xfe\xc0\x80", "\u0085\u2028\u2029\r\n\t", strings.Repeat("\x1b]", 2000), strings.Repeat("\u0301", 2000),
		strings.Repeat("a", 3000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		check(t, s)
		if line := termtext.Line(s); termtext.Width(termtext.Fit(line, 20)) != 20 {
			t.Fatalf("Fit(%q, 20) takes %d cells", line, termtext.Width(termtext.Fit(line, 20)))
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{
		"plain":   "Stripe payout, batch 4411",
		"unicode": "Łukasz 株式会社 – faktura",
		"attack":  strings.Repeat("\x1b]", 50_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = termtext.Line(s)
			}
		})
	}
}
