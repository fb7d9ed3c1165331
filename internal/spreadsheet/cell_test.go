package spreadsheet_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/internal/spreadsheet"
)

func TestOnlyWhatWouldBeAFormulaIsMarkedAsText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Acme": "Acme", "a=1": "a=1", "'=1": "'=1", "1-1": "1-1", " Acme": " Acme",
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "＝1": "'＝1", "﹦1": "'﹦1",
		" =1+1": "' =1+1", "\u00a0=1": "'\u00a0=1", "\u3000+1": "'\u3000+1", "\u2003-1": "'\u2003-1", "\ufeff=1": "'\ufeff=1",
		"\u200b@a": "'\u200b@a",
		"\u2060=1": "'\u2060=1", "\u00ad=1": "'\u00ad=1", "\n=1": "'\n=1", "\x00=1": "'\x00=1", "\ufe0f=1": "'\ufe0f=1",
		"\u3164=1": "'\u3164=1",
		"\tx":      "'\tx", "\rx": "'\rx",
	} {
		if got := spreadsheet.Cell(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

// computed reports whether a spreadsheet that drops invisible characters would compute a
// cell.
func computed(cell string) bool {
	seen := strings.TrimLeftFunc(cell, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	return seen != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(seen)[0])
}

func TestNoTextIsComputed(t *testing.T) {
	letters := rapid.RuneFrom(
		[]rune("=+-@＝＋－＠ \t\r\n\u00a0\u2003\u3000\ufeff\u200b\u200f\u2028\u2060\x00a1'"),
		unicode.Cf, unicode.Z, unicode.Cc,
	)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(letters).Draw(t, "text")
		if cell := spreadsheet.Cell(text); computed(cell) || cell != text && cell != "'"+text {
			t.Fatalf("%q became %q", text, cell)
		}
	})
}

func FuzzNoCellIsAFormula(f *testing.F) {
	for _, seed := range []string{"=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "plain", "'=1", "", "a=b",
		"\u00a0=1", "\ufeff-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if cell := spreadsheet.Cell(text); computed(cell) || cell != text && cell != "'"+text {
			t.Fatalf("%q became %q", text, cell)
		}
	})
}
