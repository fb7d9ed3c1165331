package bookrules_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// shownOf returns what is shown of lines with the given texts.
func shownOf(texts ...string) map[string]string {
	lines := map[string]int{}
	for _, text := range texts {
		lines[bookrules.Name(bank.Line{Description: text})]++
	}
	return bookrules.ShownNames(lines)
}

func thrice(texts ...string) (all []string) {
	for range 3 {
		all = append(all, texts...)
	}
	return all
}

func TestWhatIsShownOfAPayee(t *testing.T) {
	for name, test := range map[string]struct {
		texts, want []string
	}{
		"references":             {[]string{"ACME CORP 104", "Acme Corp 105"}, []string{"ACME CORP", "Acme Corp"}},
		"one line":               {[]string{"ACME CORP 104"}, []string{"ACME CORP 104"}},
		"a name with a number":   {thrice("Forever 21"), []string{"Forever 21"}},
		"words after a number":   {thrice("Level 3 Communications"), []string{"Level 3 Communications"}},
		"with more references":   {[]string{"Forever 21 A1", "Forever 21 B2"}, []string{"Forever 21"}},
		"without the number too": {[]string{"Forever 21", "Forever"}, []string{"Forever"}},
		"two with a number":      {thrice("Studio 54", "Studio 9"), []string{"Studio 54", "Studio 9"}},
		"two that are rare":      {append(thrice("Studio 54"), "Studio 9"), []string{"Studio"}},
		"two and a third": {
			append(thrice("Studio 54", "Studio 9"), "Studio"), []string{"Studio 54", "Studio 9", "Studio"},
		},
		"months": {
			thrice("ANA POP SALARY NOV", "ANA POP SALARY DEC", "Ana Pop Salary Jan"), []string{"ANA POP SALARY",
				"Ana Pop Salary"},
		},
		"one month":              {thrice("HOTEL MAI"), []string{"HOTEL MAI"}},
		"a month and a number":   {[]string{"RENT OKT 2026", "RENT NOV 2026"}, []string{"RENT"}},
		"stores":                 {thrice("GLASSWORKS R120", "GLASSWORKS R121"), []string{"GLASSWORKS"}},
		"years":                  {thrice("AGENDA 2030 TAX", "AGENDA 2031 TAX"), []string{"AGENDA"}},
		"a number first":         {thrice("9VAULT", "8VAULT"), []string{"9VAULT", "8VAULT"}},
		"names that begin alike": {thrice("SEABROOK HOTELS", "SEABROOK"), []string{"SEABROOK HOTELS", "SEABROOK"}},
		"no spaces":              {[]string{"アクメ104", "アクメ105"}, []string{"アクメ"}},
		"punctuation": {
			[]string{"WREN & SPARROW #1", "Wren & Sparrow, 2"}, []string{"WREN & SPARROW", "Wren & Sparrow"},
		},
		"digits only":               {thrice("000123", "000124")[:4], []string{"(unknown)"}},
		"digits that stay the same": {append(thrice("0770 0900 123"), "88120"), []string{"0770 0900 123", "(unknown)"}},
		"short numbers":             {thrice("1201", "166 0", "+1"), []string{"(unknown)"}},
		"a long one": {
			[]string{strings.Repeat("AB 12 ", 2000)}, []string{strings.TrimSpace(strings.Repeat("AB 12 ", 2000))},
		},
	} {
		shown := map[string]bool{}
		for _, text := range shownOf(test.texts...) {
			shown[text] = true
		}

		want := map[string]bool{}
		for _, text := range test.want {
			want[text] = true
		}
		if !maps.Equal(shown, want) {
			t.Errorf("%s: %v, want %v", name, shown, want)
		}
	}
}

// A name with another reference is the same payee, whatever the name is.
func TestANameWithAnotherReferenceIsTheSamePayee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[A-Za-zÄÖÜäöüé]{4,9}`)
		name := strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "words"), " ")
		reference := rapid.SampledFrom([]string{
			" INV %d", " Invoice #%d", " Rechnung RE-%d", " facture %d", " REF: %d", " TRN%d", " A-%d", " %d", " #%d", " R%d",
		})
		first, second := reference.Draw(t, "first"), reference.Draw(t, "second")
		number := rapid.IntRange(1000, 99_999_999)
		one := fmt.Sprintf(name+first, number.Draw(t, "number"))
		other := fmt.Sprintf(name+second, number.Draw(t, "number"))

		shown := map[string]bool{}
		for _, text := range shownOf(one, other, name) {
			shown[text] = true
		}

		if len(shown) != 1 {
			t.Fatalf("%q and %q are shown as %v", one, other, shown)
		}
	})
}

// What is shown is a beginning of the name, and what is shown of names is shown whole.
func TestWhatIsShownIsABeginningOfTheName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{
			"Acme", "Studio", "9", "54", "3", "Communications", "R120", "&", "日本", "12", "A-1",
		})
		lines := map[string]int{}
		for range rapid.IntRange(1, 12).Draw(t, "names") {
			text := strings.Join(rapid.SliceOfN(word, 1, 4).Draw(t, "words"), " ")
			lines[bookrules.Name(bank.Line{Description: text})] += rapid.IntRange(1, 4).Draw(t, "lines")
		}

		shown := bookrules.ShownNames(lines)

		if len(shown) != len(lines) {
			t.Fatalf("%v of %v", shown, lines)
		}
		for name, text := range shown {
			if text == "" || !strings.HasPrefix(name, text) && text != "(unknown)" {
				t.Fatalf("%q is shown of %q", text, name)
			}
		}
	})
}
