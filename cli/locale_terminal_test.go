//go:build unix

package cli_test

import (
	"strings"
	"testing"
)

// withCLocale sets the C locale, in which terminals show only ASCII.
func withCLocale(environ []string) []string {
	return append(environ[:len(environ):len(environ)], "LANG=C", "LC_ALL=C")
}

func TestATerminalWithoutUTF8IsSentASCIIOnly(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	w := &walker{terminal: startTerminal(t, 80, 24, withCLocale(environ)), environ: environ}
	w.until(`\* live`, `- Cash on hand`)
	for _, tab := range []struct{ key, shows string }{
		{"2", "Net burn a month|Months"},
		{"3", `Over 90 days`}, {"4", "row 1 of 2,500"}, {"5", `Number +Status`}, {"6", `live .*every`},
		{"7", "No webhook endpoints"},
	} {
		w.do(tab.key, tab.shows, `\* live`)
		w.do("?", `\+- Keys -`)
		w.back(`\+- Keys -`)
	}
	w.do("4 enter", `\+- Transaction -`)
	w.do("*", "amounts hidden")
	w.do(":", `\+- Find -`)
	w.close()
	w.CheckASCII()
	if !strings.Contains(w.output(), "\x1b]2;tarmac . ") {
		t.Error("the window has no title")
	}
}

func TestCommandsAndLinesAreASCIIOnSuchATerminal(t *testing.T) {
	t.Parallel()
	environ := walk(t)
	for _, args := range [][]string{{"aging"}, {"overview"}, {"transactions", "--limit", "100"},
		{"payment-intents", "get", "—"}, {"help"}} {
		term := startTerminal(t, 80, 24, withCLocale(environ), args...)
		term.ended()
		term.CheckASCII()
	}
	term := startTerminal(t, 80, 24, withCLocale(environ), "--plain")
	term.until("Overview:")
	term.press("transactions", "enter")
	term.until("Transactions:")
	term.press("quit", "enter")
	term.ended()
	term.CheckASCII()

	piped, err := program(t, withCLocale(environ), "aging").Output()
	if err != nil || !strings.Contains(string(piped), "1–30 days") {
		t.Errorf("a pipe was sent %q, %v", piped, err)
	}
}
