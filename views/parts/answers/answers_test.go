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

const width = 40

// paragraph returns n lines of a letter.
func paragraph(letter string, n int) string {
	return strings.TrimSpace(strings.Repeat(strings.Repeat(letter, width/2-1)+" ", 2*n))
}

// drawnIn returns the first letters of the lines in which sentences are drawn.
func drawnIn(t *testing.T, room int, sentences ...why.Sentence) string {
	t.Helper()
	a := New(views.Env{Snapshot: sample.New().Snapshot(t), Now: func() time.Time { return sample.Now }}, false)
	a.sentences = sentences
	a.SetRoom(theme.New(true), width, room)
	var letters strings.Builder
	for _, line := range a.Lines() {
		letters.WriteString(ansi.Strip(line)[:1])
	}
	return letters.String()
}

// No sentence is left out for one that matters less, where shorter forms make room for both.
func TestSentencesAreShortenedBeforeOneIsLeftOut(t *testing.T) {
	for room, want := range map[int]string{
		9: "abbccccd", 7: "abbcccc", 6: "abbccc", 5: "abccc", 4: "abbd", 3: "abb", 1: "a",
	} {
		got := drawnIn(t, room,
			why.Sentence{Subject: why.Lasts, Text: paragraph("a", 1)},
			why.Sentence{Subject: why.Used, Text: paragraph("b", 2), Brief: paragraph("b", 1)},
			why.Sentence{Subject: why.Worse, Text: paragraph("c", 4), Brief: paragraph("c", 3)},
			why.Sentence{Subject: why.Owed, Text: paragraph("d", 1)})

		if got != want {
			t.Errorf("%d lines have %q, want %q", room, got, want)
		}
	}
}

// The last sentence may be the one that says why.
func TestTheLastReasonIsNotLeftOutForAnEarlierOneInFull(t *testing.T) {
	for room, want := range map[int]string{6: "abbccc", 5: "abccc", 4: "abb"} {
		got := drawnIn(t, room,
			why.Sentence{Subject: why.Lasts, Text: paragraph("a", 1)},
			why.Sentence{Subject: why.Used, Text: paragraph("b", 2), Brief: paragraph("b", 1)},
			why.Sentence{Subject: why.Changed, Text: paragraph("c", 3)})

		if got != want {
			t.Errorf("%d lines have %q, want %q", room, got, want)
		}
	}
}
