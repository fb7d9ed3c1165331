package record

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/testsupport/hostile"
)

// JSON for a terminal has the same value as the text, and contains nothing that affects a
// terminal.
func FuzzJSONIsVisible(f *testing.F) {
	for _, text := range hostile.Texts() {
		f.Add(text.Value)
	}
	f.Add("Cafe\u0301 ကြို့ Łódź 株式会社")
	f.Fuzz(func(t *testing.T, s string) {
		plain, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		shown := appendVisible(nil, plain)
		var before, after string
		if json.Unmarshal(plain, &before) != nil || json.Unmarshal(shown, &after) != nil || before != after {
			t.Fatalf("%q became %q", before, after)
		}
		if !utf8.Valid(shown) || bytes.ContainsFunc(shown, func(r rune) bool {
			return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) ||
				unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
		}) {
			t.Fatalf("%q shows what is not to be seen", shown)
		}
		marks := 0
		for _, r := range string(shown) {
			if marks++; !unicode.In(r, unicode.Mn, unicode.Me) {
				marks = 0
			}
			if marks > 3 {
				t.Fatalf("%q has a flood of marks", shown)
			}
		}
	})
}
