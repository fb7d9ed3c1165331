package answers

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
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

// What the current month has used is the net that the page's list of months has, though the rows
// are older.
func TestTheCurrentMonthHasOneNetOnAPage(t *testing.T) {
	o := sample.New()
	s := o.SnapshotWithHistory(t)
	this := civil.Of(sample.Now).FirstOfMonth()
	var net int64
	for _, r := range s.History.Ledger().Rows {
		if back := this.MonthsSince(r.Date.FirstOfMonth()); back >= 1 && back <= 3 && r.Purpose == spending.Operating {
			cents, _ := r.Signed()
			net += cents
		}
	}
	spendable, left := int64(9_000_000_00), apiclient.MonthsOf(10)
	o.Cash.RunwayCashCents, o.Cash.MonthlyBurnCents, o.Cash.RunwayMonths = &spendable, (2-net)/3, &left
	soFar := o.Months[this]
	soFar.NetMinor = -123_000_00
	o.Months[this] = soFar
	o.Load(s)
	said := func() string {
		a := New(views.Env{Snapshot: s, Now: func() time.Time { return sample.Now }}, false, why.Used)
		a.Store(a.Due()().(Computed))
		return strings.Join(a.Texts(), "\n")
	}

	if texts := said(); !strings.Contains(texts, "has burned about $123k") {
		t.Errorf("it says %q", texts)
	}
	o.Fail[snapshot.Months] = io.ErrUnexpectedEOF
	o.Load(s)
	if texts := said(); texts == "" || strings.Contains(texts, "$123k") {
		t.Errorf("with months that could not be renewed it says %q", texts)
	}
}
