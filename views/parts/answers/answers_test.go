package answers

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/why"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

// No sentence is left out for one that matters less, where shorter forms make room for both.
func TestSentencesAreShortenedBeforeOneIsLeftOut(t *testing.T) {
	const width = 40
	lines := func(letter string, n int) string {
		return strings.TrimSpace(strings.Repeat(strings.Repeat(letter, width/2-1)+" ", 2*n))
	}
	env := views.Env{Snapshot: sample.New().Snapshot(t), Now: func() time.Time { return sample.Now }}
	for room, want := range map[int]string{
		9: "abbccccd", 7: "abbcccc", 6: "abbccc", 5: "abccc", 4: "abbd", 3: "abb", 1: "a",
	} {
		a := New(env, false)
		a.sentences = []why.Sentence{
			{Subject: why.Lasts, Text: lines("a", 1)}, {Subject: why.Used, Text: lines("b", 2), Brief: lines("b", 1)},
			{Subject: why.Worse, Text: lines("c", 4), Brief: lines("c", 3)}, {Subject: why.Owed, Text: lines("d", 1)},
		}
		a.SetRoom(theme.New(true), width, room)

		var got strings.Builder
		for _, line := range a.Lines() {
			got.WriteString(ansi.Strip(line)[:1])
		}
		if got.String() != want {
			t.Errorf("%d lines have %q, want %q", room, got.String(), want)
		}
	}
}
