package invoicepdf

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"pgregory.net/rapid"
)

// The fonts also have the same table in format 12, which the package does not read.
func TestCoverageAgreesWithTheFontsTableInFormat12(t *testing.T) {
	for name, ttf := range map[string][]byte{"regular": dejavusans.TTF, "bold": dejavusansbold.TTF} {
		covered, err := newCoverage(ttf)
		if err != nil {
			t.Fatal(err)
		}
		known := format12(t, ttf)
		if len(known) < 5_000 {
			t.Fatalf("%s: only %d characters in the other table", name, len(known))
		}
		for r := rune(-1); r <= 0x10ffff; r++ {
			if got, want := covered.has(r), known[r] && r < 0xffff; got != want {
				t.Errorf("%s: %U is there: %v, want %v", name, r, got, want)
			}
		}
	}
}

func format12(t *testing.T, ttf []byte) map[rune]bool {
	cmap, ok := fontTable(ttf, "cmap")
	if !ok {
		t.Fatal("no cmap")
	}
	known := map[rune]bool{}
	for i := range int(u16(cmap[2:])) {
		table := cmap[binary.BigEndian.Uint32(cmap[4+8*i+4:]):]
		if u16(table) != 12 {
			continue
		}
		for g := range binary.BigEndian.Uint32(table[12:]) {
			group := table[16+12*g:]
			for r := binary.BigEndian.Uint32(group); r <= binary.BigEndian.Uint32(group[4:]); r++ {
				known[rune(r)] = true
			}
		}
	}
	return known
}

func TestBrokenFontsAreRefused(t *testing.T) {
	for _, size := range []int{0, 11, 12, 40, 12 + 20*16} {
		if _, err := newCoverage(dejavusans.TTF[:size:size]); err == nil {
			t.Errorf("%d bytes are taken for a font", size)
		}
	}
}

func FuzzCoverage(f *testing.F) {
	cmap, _ := fontTable(dejavusans.TTF, "cmap")
	head := make([]byte, 28)
	copy(head[12:], "cmap")
	binary.BigEndian.PutUint32(head[20:], 28)
	f.Add(cmap[:2004], 'a')
	f.Add(
		[]byte("\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c\x00\x04\x00\x20\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00"),
		'z',
	)
	f.Add(
		[]byte("\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c\x00\x04\x00\x14\x00\x00\x00\x01"+strings.Repeat("\x00", 12)),
		'z',
	) // half a segment
	f.Fuzz(func(t *testing.T, table []byte, r rune) {
		ttf := append(slices.Clone(head), table...)
		binary.BigEndian.PutUint32(ttf[24:], uint32(len(table)))
		c, err := newCoverage(ttf)
		if err == nil && c.has(r) && (r <= 0 || r >= 0xffff) {
			t.Errorf("%U is covered, which cannot be drawn", r)
		}
	})
}

// one measures text as if every character except combining marks were one wide.
func one(text string) float64 {
	n := 0
	for _, r := range text {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return float64(n)
}

func TestTextIsWrappedAtBlanksAndInsideLongWords(t *testing.T) {
	for _, test := range []struct {
		text  string
		width float64
		want  []string
	}{
		{"", 5, nil},
		{" \n ", 5, nil},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 6, []string{"one", "two", "three"}},
		{"abcdefgh ij", 5, []string{"abcde", "fgh", "ij"}},
		{"x abcdefgh", 5, []string{"x", "abcde", "fgh"}},
		{"first\n\nthird line", 10, []string{"first", "", "third line"}},
		{"abc", 0.5, []string{"a", "b", "c"}},
		{"aaae\u0301b", 4, []string{"aaae\u0301", "b"}},
		{"a  b", 10, []string{"a  b"}},
		{"日本語", 2, []string{"日本", "語"}},
		{"ab 日本語 cd", 5, []string{"ab 日本", "語 cd"}},
		{"ab日本", 3, []string{"ab日", "本"}},
		{"株式会社、東京", 4, []string{"株式会", "社、東京"}},
		{"日本「語」", 3, []string{"日本", "「語」"}},
		{"ピーク", 2, []string{"ピー", "ク"}},
		{"ピーク", 1, []string{"ピ", "ー", "ク"}},
		{"한국어 항목", 5, []string{"한국어", "항목"}},
		{"한국어항목", 3, []string{"한국어", "항목"}},
	} {
		if got := wrap(test.text, test.width, one); !slices.Equal(got, test.want) {
			t.Errorf("%q in %v: %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

func TestWrappingKeepsEveryCharacterAndTheWidth(t *testing.T) {
	text := rapid.StringOf(rapid.RuneFrom([]rune("ab W□\u0301\n日本、「한")))
	rapid.Check(t, func(rt *rapid.T) {
		s, width := text.Draw(rt, "text"), rapid.Float64Range(0.5, 12).Draw(rt, "width")
		lines := wrap(s, width, one)
		for _, line := range lines {
			if one(line) > max(1, width) {
				rt.Errorf("%q is wider than %v", line, width)
			}
		}
		if got, want := unspaced(strings.Join(lines, "")), unspaced(s); got != want {
			rt.Errorf("%q became %q", want, got)
		}
	})
}

func unspaced(s string) string { return strings.Join(strings.Fields(s), "") }

func TestShortenedTextFits(t *testing.T) {
	for text, want := range map[string]string{
		"short": "short", "exactly ten": "exactly t…", "a word and more": "a word an…", "nine char more": "nine char…",
	} {
		if got := shorten(text, 10, one); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := truncateLines(2, []string{"a", "b", "c"}); !slices.Equal(got, []string{"a", "b…"}) {
		t.Errorf("three lines in two: %q", got)
	}
}

func TestHebrewAndArabicRunFromRightToLeft(t *testing.T) {
	for line, want := range map[string]string{
		"plain (text) 12":    "plain (text) 12",
		"Łódź → Ελλάδα":      "Łódź → Ελλάδα",
		"אבג":                "גבא",
		"pay אבג now":        "pay גבא now",
		"אב גד 12.50 end":    "12.50 דג בא end",
		"אב (12) end":        "(12) בא end",
		"אב (גד) end":        "(דג) בא end",
		"(אב) end":           "(בא) end",
		"ab (12) אב":         "ab (12) בא",
		"ا١٢٣ب":              "ب١٢٣ا",
		"א\u05b8ב":           "ב\u05b8א",
		"1. אב":              "1. בא",
		"אב, גד; הו":         "וה ;דג ,בא",
		"אב end גד":          "בא end דג",
		"tel. 555-1234 אב 7": "tel. 555-1234 7 בא",
	} {
		if got := visualOrder(line); got != want {
			t.Errorf("%q stands as %q, want %q", line, got, want)
		}
	}
}

func TestArabicLettersAreJoined(t *testing.T) {
	for text, want := range map[string]string{
		"plain":              "plain",
		"شركة":               "\ufeb7\ufeae\ufedb\ufe94",
		"النور":              "\ufe8d\ufedf\ufee8\ufeee\ufead",
		"سلام":               "\ufeb3\ufefc\ufee1", // lam and alef after a letter
		"لا لأ":              "\ufefb \ufef7",
		"بب ب":               "\ufe91\ufe90 \ufe8f",
		"بَب":                "\ufe91\u064e\ufe90", // a mark between them
		"بـب":                "\ufe91\u0640\ufe90",
		"ء":                  "\ufe80",
		"پژوهش":              "\ufb58\ufb8b\ufeed\ufeeb\ufeb6", // Persian
		"١٢، ab":             "١٢، ab",
		"\u0644\u064e\u0627": "\ufedf\u064e\ufe8e", // a mark keeps lam and alef apart
	} {
		if got := shapeArabic(text); got != want {
			t.Errorf("%q is written as %+q, want %+q", text, got, want)
		}
	}
}

func TestReorderingALineKeepsItsCharacters(t *testing.T) {
	text := rapid.StringOf(rapid.RuneFrom([]rune("aא ב12.,()\u05b8ع٣\u0301"), unicode.Hebrew, unicode.Arabic))
	rapid.Check(t, func(rt *rapid.T) {
		line := text.Draw(rt, "line")
		if got, want := sorted(visualOrder(line)), sorted(line); got != want {
			rt.Errorf("%q stands as %q", line, visualOrder(line))
		}
	})
}

// sorted returns the characters of s in order, with opening and closing brackets alike.
func sorted(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		runes[i] = min(r, mirrored(r))
	}
	slices.Sort(runes)
	return string(runes)
}

func TestSubsetsHaveFewConsecutiveCharacters(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var characters []rune
		for range rapid.IntRange(0, 4).Draw(rt, "runs") {
			from := rapid.Int32Range(1, 0x9000).Draw(rt, "from")
			for i := range rapid.Int32Range(1, 300).Draw(rt, "length") {
				characters = append(characters, from+i)
			}
		}
		slices.Sort(characters)
		characters = slices.Compact(characters)

		parts := separateNeighbors(slices.Clone(characters))

		var all []rune
		for _, part := range parts {
			length := 0
			for i, r := range part {
				if length++; i > 0 && part[i-1]+1 != r {
					length = 1
				}
				if length > maxNeighbors {
					rt.Fatalf("%U ends %d neighbours", r, length)
				}
			}
			all = append(all, part...)
		}
		slices.Sort(all)
		if !slices.Equal(all, characters) {
			rt.Errorf("%d characters became %d", len(characters), len(all))
		}
	})
}

func TestTextStringsAreUTF16(t *testing.T) {
	if got, want := textString("aŁ🚀"), "\xfe\xff\x00a\x01\x41\xd8\x3d\xde\x80"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
