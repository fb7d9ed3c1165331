package bookkeeping_test

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
)

// payments returns a statement of one line for each name, on consecutive days.
func payments(month string, names ...string) statement {
	s := statement{account: "00123456789", first: month + "-01", last: month + "-28"}
	for n, name := range names {
		day := month + "-" + [...]string{"02", "03", "04", "05", "06", "07", "08"}[n]
		s.lines = append(s.lines, line{day, "-100.00", day, name})
	}
	return s
}

// What is shown of a name changes with the lines of other files, and back when they are undone.
func TestLaterLinesShowWhichPartOfANameIsAReference(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", payments("2026-08", "Acme Corp 104", "Forever 21").ofx()))
	checkNames(t, b, "Acme Corp 104/", "Forever 21/")

	second := take(t, b, source("b.qfx", payments("2026-09", "Acme Corp 105", "Forever 21").ofx()))
	checkNames(t, b, "Acme Corp/", "Forever 21/", "Acme Corp/", "Forever 21/")
	checkDerivedAnew(t, b)

	if _, err := b.Undo(t.Context(), string(second.Import)); err != nil {
		t.Fatal(err)
	}
	checkNames(t, b, "Acme Corp 104/", "Forever 21/")
	checkDerivedAnew(t, b)
}

func TestNamesWithDifferentNumbersAreTwoPayeesOfThreeLinesEach(t *testing.T) {
	b := newBooks(t)

	take(t, b, source("a.qfx", payments("2026-08", "Studio 54", "Studio 9", "Studio 54", "Studio 9").ofx()))
	checkNames(t, b, "Studio/", "Studio/", "Studio/", "Studio/")
	take(t, b, source("b.qfx", payments("2026-09", "Studio 54", "Studio 9").ofx()))

	checkNames(t, b, "Studio 54/", "Studio 9/", "Studio 54/", "Studio 9/", "Studio 54/", "Studio 9/")
	checkDerivedAnew(t, b)
}

func TestTheNameOfARuleIsShownWhole(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", payments("2026-08", "Acme Corp 104", "Acme Corp 105", "Acme Corp 106").ofx()))

	_, err := b.EditRules(t.Context(), func(string) string {
		return "[[rule]]\nmatch = \"104\"\ncounterparty = \"Acme Corp 9\"\n"
	})

	if err != nil {
		t.Fatal(err)
	}
	checkNames(t, b, "Acme Corp 9/", "Acme Corp/", "Acme Corp/")
	checkDerivedAnew(t, b)
}

// What is shown of names follows from the lines, in whatever order their files are imported, undone
// and imported again, and whenever the rules change.
func TestTheNamesOfPayeesDoNotDependOnTheOrderOfImports(t *testing.T) {
	long.Cases(t, 3, 15)
	shared := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		var files []bookkeeping.Source
		name := rapid.SampledFrom([]string{
			"Acme Corp 104", "Acme Corp 105", "ACME CORP INV 7", "Studio 54", "Studio 9", "880412360", "88041237",
		})
		for n, month := range []string{"2026-07", "2026-08", "2026-09"} {
			names := rapid.SliceOfN(name, 1, 7).Draw(t, month)
			files = append(files, source(string(rune('a'+n))+".qfx", payments(month, names...).ofx()))
		}
		const rules = "[[rule]]\nmatch = \"Studio\"\ncounterparty = \"Studio 9\"\n"
		straight, other := &answeredBooks{t, newCompanyBooks(t, shared)}, &answeredBooks{t, newCompanyBooks(t, shared)}

		for _, file := range files {
			straight.take(file)
		}
		straight.rule(rules)
		before := rapid.IntRange(0, 2).Draw(t, "files before the rules")
		for n, file := range rapid.Permutation(files).Draw(t, "order") {
			if n == before {
				other.rule(rules)
			}
			other.undo(other.take(file))
			other.take(file)
		}

		if got, want := other.picture(), straight.picture(); got != want {
			t.Fatalf("the books are\n%s\nwant\n%s", got, want)
		}
	})
}

func (a *answeredBooks) rule(rules string) {
	if _, err := a.b.EditRules(a.Context(), func(string) string { return rules }); err != nil {
		a.Fatal(err)
	}
}

// "(unknown)" is as long as this number.
func TestANumberIsANameOnceItHasThreeLines(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", payments("2026-08", "880412360").ofx()))
	checkNames(t, b, "(unknown)/")

	second := take(t, b, source("b.qfx", payments("2026-09", "880412360", "880412360").ofx()))
	checkNames(t, b, "880412360/", "880412360/", "880412360/")
	checkDerivedAnew(t, b)

	if _, err := b.Undo(t.Context(), string(second.Import)); err != nil {
		t.Fatal(err)
	}
	checkNames(t, b, "(unknown)/")
	checkDerivedAnew(t, b)
}
