//go:build unix

package cli_test

import (
	"strings"
	"testing"
)

func TestCtrlCAtThePromptOfTheLineModeLeaves(t *testing.T) {
	term := startTerminal(t, 80, 40, nil, "demo", "--plain", "--transactions", "1000")
	term.until(`Overview:\s*$`)
	term.press("help", "enter")
	term.until(`(?s)Everywhere:.*Overview:\s*$`)
	term.press("ctrl+c")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if strings.Contains(term.output(), "\x1b") {
		t.Errorf("a sequence was written: %q", term.output())
	}
}
