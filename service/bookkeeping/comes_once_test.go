package bookkeeping_test

import "testing"

func TestATaxRefundHasACategoryUnlessARuleGivesAnother(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{text: "[[rule]]\nmatch = \"treasury 43\"\ncategory = \"other\"\n"}
	b.RulesFile = file
	take(t, b, source("a.qfx", statement{account: "00123456789", first: "2026-08-01", last: "2026-08-31", lines: []line{
		{"2026-08-05", "900.00", "1", "STATE TREASURY 42 TAX REFUND"},
		{"2026-08-06", "900.00", "2", "STATE TREASURY 43 TAX REFUND"},
		{"2026-08-07", "-900.00", "3", "STATE TREASURY 42 TAX REFUND REVERSED"},
	}}.ofx()))
	got := namesOf(t, b)
	for n, want := range []string{"/Tax refund", "/other", "/"} {
		if len(got) != 3 || got[n][len(got[n])-len(want):] != want {
			t.Errorf("line %d: %q, want …%s", n+1, got, want)
		}
	}
	checkDerivedAnew(t, b)
}
