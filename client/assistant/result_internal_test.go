package assistant

import (
	"strings"
	"testing"
)

func TestTextsOfAServerThatAreNotMarkedAreShort(t *testing.T) {
	for n, want := range map[int]bool{1: true, maxIdentifier: true, maxIdentifier + 1: false} {
		if got := identifier(strings.Repeat("a", n)) != ""; got != want {
			t.Errorf("an ID of %d: %t", n, got)
		}
	}
	for n, want := range map[int]bool{1: true, maxCursor: true, maxCursor + 1: false} {
		if _, got := cursorOf(strings.Repeat("a", n)); got != want {
			t.Errorf("a cursor of %d: %t", n, got)
		}
	}
	for _, text := range []string{"a b", "a\n", "é"} {
		if _, ok := cursorOf(text); ok || identifier(text) != "" {
			t.Errorf("%q is taken", text)
		}
	}
}
