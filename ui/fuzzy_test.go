package ui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFuzzyFindsLettersInTheirOrder(t *testing.T) {
	for _, c := range []struct {
		typed, text string
		found       bool
	}{
		{"", "Transactions", true},
		{"trans", "Transactions", true},
		{"TNS", "Transactions", true},
		{"light theme", "theme: light", true},
		{"snt", "Transactions", false},
		{"transactionss", "Transactions", false},
		{"mü", "Müller", true},
		{"x", "", false},
	} {
		if _, found := fuzzy(c.typed, c.text); found != c.found {
			t.Errorf("%q in %q: %v", c.typed, c.text, found)
		}
	}
}

func TestTheBetterMatchScoresHigher(t *testing.T) {
	for _, c := range [][3]string{
		{"re", "refresh", "page before"},
		{"ov", "Overview", "remove last filter"},
		{"cid", "copy id", "decide"},
		{"tra", "Transactions", "the rate"},
	} {
		better, _ := fuzzy(c[0], c[1])
		worse, _ := fuzzy(c[0], c[2])
		if better <= worse {
			t.Errorf("%q scores %d in %q and %d in %q", c[0], better, c[1], worse, c[2])
		}
	}
}

// fuzzy matches exactly the subsequences of a text.
func TestFuzzyIsASubsequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-cA-C :]{0,12}`).Draw(t, "text")
		typed := rapid.StringMatching(`[a-c]{1,5}`).Draw(t, "typed")
		rest, want := strings.ToLower(text), true
		for _, letter := range typed {
			_, after, ok := strings.Cut(rest, string(letter))
			rest, want = after, want && ok
		}
		if _, found := fuzzy(typed, text); found != want {
			t.Fatalf("%q in %q: %v", typed, text, found)
		}
	})
}
