//go:build unix

package cli_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tarmac/internal/testsupport/long"
)

func TestAnySizeInAnyOrderIsDrawn(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, 80, 24, nil, "demo")
	term.until("● live", `\$[0-9]`)
	storm := rand.New(rand.NewPCG(1, 2))
	for _, screen := range []string{"1", "2", "3", "4", "5", "6", "7", "n", "?", ":"} {
		term.press(screen)
		for range 8 {
			term.resize(1+storm.IntN(140), 1+storm.IntN(50))
		}
		term.resize(1, 1)
	}
	term.resize(120, 40)
	term.until("● live", "7 Webhooks")
	term.press("ctrl+c")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	term.checkState()
}

func TestAFloodOfKeysAndPastesIsTaken(t *testing.T) {
	t.Parallel()
	const megabyte = 1 << 20
	keys := megabyte / long.Size(64, 16) // each key is drawn: a full megabyte takes a minute or two
	term := startTerminal(t, 80, 24, nil, "demo")
	term.until("● live")
	term.press("4")
	first := term.until("row 1 of")
	paste := func(text string) { term.press("\x1b[200~" + text + "\x1b[201~") }

	// A table ignores pasted text: none of it acts as a key.
	paste(strings.Repeat("q5:7D\x1a\x03", megabyte/7))
	term.press("j")
	term.until("row 2 of")
	// A field accepts text up to its maximum length.
	term.press("/")
	paste(strings.Repeat("Acme\n\x1b[31m", megabyte/10))
	term.until("Acme")
	term.press("esc")
	term.until("row 2 of")
	// All keys are processed, in order.
	flood(term, strings.Repeat("jk", keys/8)+strings.Repeat("\x1b[B\x1b[A", keys/24))
	term.press("k")
	screen := term.until("row 1 of", "● live")
	if strings.Count(first, "row 1 of") != strings.Count(screen, "row 1 of") {
		t.Errorf("it shows:\n%s", screen)
	}
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	term.checkState()
}

// flood sends keys faster than anyone can press them.
func flood(term *terminal, keys string) {
	term.t.Helper()
	if err := term.Type(keys); err != nil {
		term.t.Fatal(err)
	}
}
