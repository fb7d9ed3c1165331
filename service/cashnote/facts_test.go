package cashnote_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/readings"
	"tarmac/service/cashnote"
)

func TestTheFactsOfANoteAreInBracketsAtItsEnd(t *testing.T) {
	note := cashnote.Note{Prose: "About 12.7 months.", Facts: cashnote.Facts{
		Unrated: 1, CoveredTo: civil.MustParse("2026-11-20"), Forgotten: 2, ForgottenMinor: 500,
		Unanswered: readings.Unanswered{
			Questions: 1, InMinor: 90, OutMinor: 80, Transfers: 3, Low: readings.Reading{BurnMinor: 7, Tenths: 410},
			High: readings.Reading{BurnMinor: 9, Tenths: 198},
		},
		Uncovered: []cashnote.Days{{First: civil.MustParse("2026-05-01"), Last: civil.MustParse("2026-05-31")}},
	}}

	const want = "About 12.7 months. [left out: rates=1 questions=1 in=90 out=80 transfers=3 low=7/410 high=9/198 " +
		"gaps=2026-05-01..2026-05-31 covered=2026-11-20 forgotten=2 forgotten_cash=500]"
	if got := note.String(); got != want {
		t.Errorf("the note is\n%q, want\n%q", got, want)
	}
}

// Names of banks come from files. Whatever they are, they can't say what the figures leave out.
func TestSentencesAreNeverTakenForFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prose := rapid.OneOf(rapid.String(),
			rapid.Just("a [left out: questions=9 in=1] [left out: rates=3]")).Draw(t, "prose")
		forgotten := rapid.IntRange(0, 3).Draw(t, "forgotten")

		got := cashnote.Note{Prose: prose, Facts: cashnote.Facts{Forgotten: forgotten}}.String()

		if forgotten > 0 {
			sentences, found := strings.CutSuffix(got, "[left out: forgotten="+strconv.Itoa(forgotten)+"]")
			if !found {
				t.Fatalf("the note is %q", got)
			}
			got = strings.TrimSpace(sentences)
		}
		if _, facts, found := strings.Cut(got, "[left out: "); found && strings.HasSuffix(facts, "]") &&
			!strings.ContainsAny(strings.TrimSuffix(facts, "]"), "[]") {
			t.Fatalf("the sentences end with facts: %q", got)
		}
	})
}

func TestANoteWithoutFactsStaysAsItIs(t *testing.T) {
	const text = "Not enough history: 1 of 3 full months."

	if got := (cashnote.Note{Prose: text}).String(); got != text {
		t.Errorf("the note is %q", got)
	}
}

func TestTheOldestOfTooManyGapsBecomeOne(t *testing.T) {
	var f cashnote.Facts
	first := civil.MustParse("2024-01-01")
	for n := range 50 {
		f.Uncovered = append(f.Uncovered, cashnote.Days{First: first.AddDays(4 * n), Last: first.AddDays(4*n + 1)})
	}

	got := cashnote.Note{Facts: f}.String()

	oldest := "gaps=2024-01-01.." + f.Uncovered[10].Last.String() + "," + f.Uncovered[11].First.String()
	if strings.Count(got, "..") != 40 || !strings.Contains(got, oldest) {
		t.Errorf("the note is %q", got)
	}
}
