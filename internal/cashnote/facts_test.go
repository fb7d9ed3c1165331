package cashnote_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/cashnote"
	"tarmac/internal/civil"
	"tarmac/internal/readings"
)

func drawFacts(t *rapid.T) cashnote.Facts {
	amount := rapid.Int64Range(0, 1<<62)
	reading := func(label string) readings.Reading {
		return readings.Reading{BurnMinor: amount.Draw(t, label), Tenths: amount.Draw(t, label)}
	}
	count := rapid.IntRange(0, 9)
	f := cashnote.Facts{Unrated: count.Draw(t, "rates"), Forgotten: count.Draw(t, "forgotten"),
		ForgottenMinor: amount.Draw(t, "forgotten cash")}
	if n := count.Draw(t, "questions"); n > 0 {
		f.Unanswered = readings.Unanswered{
			Questions: n, InMinor: amount.Draw(t, "in"), OutMinor: amount.Draw(t, "out"), Transfers: count.Draw(t,
				"transfers"), Low: reading("low"),
			High: reading("high"),
		}
	}
	day := civil.MustParse("2024-01-01")
	for range rapid.IntRange(0, 40).Draw(t, "gaps") {
		first := day.AddDays(rapid.IntRange(2, 30).Draw(t, "from"))
		day = first.AddDays(rapid.IntRange(0, 30).Draw(t, "days"))
		f.Uncovered = append(f.Uncovered, cashnote.Days{First: first, Last: day})
	}
	if rapid.Bool().Draw(t, "covered") {
		f.CoveredTo = day
	}
	return f
}

// Names of banks come from files. Whatever they are, they cannot say what the figures leave out.
func TestFactsAreReadAsTheyWereWrittenWhateverTheSentencesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawFacts(t)
		prose := rapid.OneOf(rapid.String(),
			rapid.Just("a [left out: questions=9 in=1] [left out: rates=3]")).Draw(t, "prose")

		got := cashnote.Read(cashnote.Note{Prose: prose, Facts: want}.String())

		if !reflect.DeepEqual(got.Facts, want) {
			t.Fatalf("got %+v, want %+v", got.Facts, want)
		}
	})
}

func TestTheSentencesOfANoteHaveNoBrackets(t *testing.T) {
	note := cashnote.Note{Prose: "About 12.7 months.", Facts: cashnote.Facts{Forgotten: 2}}

	text := note.String()

	if want := "About 12.7 months. [left out: forgotten=2]"; text != want {
		t.Errorf("the note is %q, want %q", text, want)
	}
	if got := cashnote.Read(text).Prose; got != note.Prose {
		t.Errorf("the sentences are %q", got)
	}
}

func TestANoteWithoutFactsStaysAsItIs(t *testing.T) {
	const text = "Not enough history: 1 of 3 full months."

	if got := (cashnote.Note{Prose: text}).String(); got != text {
		t.Errorf("the note is %q", got)
	}
	if got := cashnote.Read(text); !reflect.DeepEqual(got, cashnote.Note{Prose: text}) {
		t.Errorf("it is read as %+v", got)
	}
}

func TestFactsThatCannotBeReadAreIgnored(t *testing.T) {
	const text = "Prose. [left out: rates=-1 questions=x in=5 gaps=2026-02-30..2026-03-01,2026-04-02..2026-04-01 " +
		"later=7 forgotten=1]"

	got := cashnote.Read(text)

	want := cashnote.Note{Prose: "Prose.", Facts: cashnote.Facts{Forgotten: 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it is read as %+v, want %+v", got, want)
	}
}

func TestTheOldestOfTooManyGapsBecomeOne(t *testing.T) {
	var f cashnote.Facts
	first := civil.MustParse("2024-01-01")
	for n := range 50 {
		f.Uncovered = append(f.Uncovered, cashnote.Days{First: first.AddDays(4 * n), Last: first.AddDays(4*n + 1)})
	}

	got := cashnote.Read(cashnote.Note{Facts: f}.String()).Uncovered

	oldest := cashnote.Days{First: first, Last: f.Uncovered[10].Last}
	if len(got) != 40 || got[0] != oldest || got[1] != f.Uncovered[11] || got[39] != f.Uncovered[49] {
		t.Errorf("%d gaps are read, from %v", len(got), got[0])
	}
}
