package bookkeeping_test

import "testing"

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
