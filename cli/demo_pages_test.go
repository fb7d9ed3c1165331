//go:build unix

package cli_test

import (
	"strings"
	"testing"

	marks "tarmac/internal/testsupport/screen"
)

// The pages of the demo have few marks, and leave little of a terminal blank.
func TestTheDemosPagesHaveFewMarksAndLittleBlank(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ columns, rows, blank int }{{80, 24, 15}, {120, 40, 15}, {200, 60, 25}} {
		term := startTerminal(t, size.columns, size.rows, nil, "demo")
		term.until("● live")
		for _, page := range []struct{ key, shows string }{
			{"4", `row 1 of`}, {"5", `INV-\d+`},
			{"6", `Tim.*[\s\S]*(payment\.held .* [A-Z]\w+ \w+|[A-Z]\w+ \w+: payment held)`},
			{"7", `✓ delivered +(1 +)?200`}, {"2", `(?s)A Hiring.*█|█.*A Hiring`}, {"3", `\d days\s+beyond`},
			{"8", "cost .* than|about as much as"}, {"1", `has burned`},
		} {
			term.press(page.key)
			term.until(page.shows, "● live")
			text := term.untilGone("Waiting for")
			if n, _ := marks.Marks(text); n > 6 {
				t.Errorf("page %s at %dx%d has %d marks at figures:\n%s", page.key, size.columns, size.rows, n, text)
			}
			if blank := marks.LargestBlank(text, size.columns); blank > size.blank {
				t.Errorf("page %s at %dx%d is blank to %d %%:\n%s", page.key, size.columns, size.rows, blank, text)
			}
		}
		term.press("q")
		term.ended()
	}
}

func TestTheDemoInEurosShowsNoDollars(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, 120, 40, nil, "demo", "--currency", "EUR")
	term.until("● live")
	for _, page := range []struct{ key, shows string }{
		{"9", `Accounts[\s\S]*\d EUR`}, {"4", `row 1 of`}, {"5", `Invoices`}, {"6", `Events`},
		{"7", `127\.0\.0\.1:\d+/down`}, {"2", `weeks[\s\S]*\n.*€`}, {"3", `owe €`}, {"8", "cost .*€"},
		{"1", `has burned`},
	} {
		term.press(page.key)
		if text := term.until(page.shows, "● live"); strings.ContainsRune(text, '$') || strings.Contains(text, "USD") {
			t.Errorf("page %s is in dollars:\n%s", page.key, text)
		}
	}
	term.press("q")
	term.ended()
}
