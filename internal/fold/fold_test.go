package fold_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tarmac/internal/fold"
)

func TestOneNameIsFoundHoweverItIsWritten(t *testing.T) {
	for _, written := range [][]string{
		{"istanbul", "İstanbul", "Istanbul", "ISTANBUL", "İSTANBUL", "I\u0307stanbul", "i\u0307stanbul", "ıstanbul",
			"istan\u00adbul"},
		{"strasse", "Straße", "STRASSE", "STRAẞE"},
		{"σίσυφοσ", "Σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφος", "ΣΙ\u0301ΣΥΦΟΣ"},
		{"café", "CAFÉ", "cafe\u0301", "CAFE\u0301"},
		{"finland", "ﬁnland", "ＦＩＮＬＡＮＤ", "Fin\u200dland", "\ufeffFinland"},
		{"カブシキガイシャ", "ｶﾌﾞｼｷｶﾞｲｼｬ"},
		{"no 5 a", "No 5\u00a0a", "№ ⑤ a"},
		{"ì", "Ì", "i\u0307\u0300", "I\u0307\u0300"},
		{"ị", "Ị", "i\u0323\u0307", "I\u0307\u0323"},
		{"łukasz", "Łukasz", "ŁUKASZ"},
		{"a b c", "a\x00B\tc"},
		{"a\ufffdb", "a\xffb", "A\uffffB"},
		{"100%_\\", "100%_\\"},
	} {
		for _, text := range written {
			if got := fold.String(text); got != written[0] {
				t.Errorf("%q is folded to %q, want %q", text, got, written[0])
			}
		}
	}
	for _, different := range [][2]string{{"cafe", "café"}, {"l", "ł"}, {"o", "ø"}, {"z\u0307", "z"}} {
		if fold.String(different[0]) == fold.String(different[1]) {
			t.Errorf("%q and %q are one", different[0], different[1])
		}
	}
}

// Capital and small letters fold to the same text, and folded text folds to itself.
func TestEveryCharacterIsFoldedOnce(t *testing.T) {
	folder := fold.New()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		folded := folder.Fold(string(r))
		if again := folder.Fold(folded); again != folded {
			t.Errorf("%U is folded to %+q and that to %+q", r, folded, again)
		}
		for _, other := range []string{string(unicode.ToUpper(r)), string(unicode.ToLower(r)), string(unicode.ToTitle(r))} {
			if got := folder.Fold(other); got != folded {
				t.Errorf("%U is folded to %+q, %+q of another case to %+q", r, folded, other, got)
			}
		}
	}
}

// Databases contain folded text. When its form changes, for example with a new Unicode
// version, a migration in service/store must fold it again.
func TestFoldingIsWhatDatabasesWereFilledWith(t *testing.T) {
	hash, folder := sha256.New(), fold.New()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		hash.Write([]byte(folder.Fold("a"+string(r)) + "\x00"))
	}
	const want = "4d9062ec75293c64a5ff9bcb2249a22ab174385549ce9107a5c7ee9943734340"
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("all characters together are folded to %s, not to %s", got, want)
	}
}

func TestFindPointsIntoTheText(t *testing.T) {
	for _, c := range []struct{ text, needle, found string }{
		{"Acme Ltd", "LTD", "Ltd"}, {"Şişli, İstanbul", "istan", "İstan"}, {"Große Straße 5", "SS", "ß"},
		{"Straße", "se", "ße"},
		{"cafe\u0301 au lait", "é a", "e\u0301 a"}, {"ΣΊΣΥΦΟΣ", "σίσυφος", "ΣΊΣΥΦΟΣ"}, {"ab", "c", ""},
		{"ab", "", ""}, {"", "a", ""},
		{"x\u00ady z", "xy", "x\u00ady"}, {"株式会社", "会", "会"}, {"a\xffb", "\xff", "\xff"},
		{"ＡＢＣ", "b", "Ｂ"},
	} {
		from, to := fold.Find(c.text, c.needle)
		if c.found == "" {
			if from != -1 || to != -1 {
				t.Errorf("%q in %q: %d to %d", c.needle, c.text, from, to)
			}
			continue
		}
		if from < 0 || c.text[from:to] != c.found {
			t.Errorf("%q in %q: %d to %d, want %q", c.needle, c.text, from, to, c.found)
		}
	}
}

// The client's filter matches what the service's search matches, and locates it.
func TestFindAgreesWithFold(t *testing.T) {
	letters := rapid.SampledFrom([]rune(
		"aAiIİı\u0307\u0301\u0323ßſsSςσΣ ﬁée\u00ad\u200dｶﾞ가ᄀ\u1161\u11a8ͅ½\xff한"))
	text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(letters, 0, 8).Draw(t, "runes")) })
	rapid.Check(t, func(t *rapid.T) {
		whole, needle := text.Draw(t, "text"), text.Draw(t, "needle")
		folded := fold.String(needle)
		want := folded != "" && strings.Contains(fold.String(whole), folded)
		if again := fold.String(folded); again != folded {
			t.Fatalf("%+q is folded to %+q and that to %+q", needle, folded, again)
		}
		from, to := fold.Find(whole, needle)
		if (from >= 0) != want {
			t.Fatalf("%+q in %+q: %d to %d; folded %+q in %+q", needle, whole, from, to, folded, fold.String(whole))
		}
		if want && !strings.Contains(fold.String(whole[from:to]), folded) {
			t.Fatalf("%+q in %+q: %+q was pointed at", needle, whole, whole[from:to])
		}
	})
}
