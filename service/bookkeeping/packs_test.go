package bookkeeping_test

import (
	"testing"

	"tarmac/service/bookkeeping"
)

// checkPacked checks that the books are derived from stored packs, so that a pack that is not read
// again shows in them.
func checkPacked(t *testing.T, b *bookkeeping.Books) {
	t.Helper()
	if packs, err := b.Packs(t.Context()); err != nil || packs == 0 {
		t.Errorf("there are %d packs, %v", packs, err)
	}
}

func TestPacksOfOtherRulesAreNotUsed(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	checkPacked(t, b)

	_, err := b.EditRules(t.Context(), func(string) string {
		return "[[rule]]\nmatch = \"Customer\"\ncounterparty = \"Renamed\"\ncategory = \"sales\"\n"
	})

	if err != nil {
		t.Fatal(err)
	}
	checkLedger(t, b, septemberRows[0], "2026-09-15 +120000 Renamed")
	checkDerivedAnew(t, b)
}

func TestPacksOfAnUndoneImportAreNotUsedForTheNextFile(t *testing.T) {
	b := newBooks(t)
	for range 3 { // the database may give the next file the same keys
		report := take(t, b, source("a.qfx", september.ofx()))
		checkPacked(t, b)
		checkLedger(t, b, septemberRows...)
		if _, err := b.Undo(t.Context(), string(report.Import)); err != nil {
			t.Fatal(err)
		}
		if packs, err := b.Packs(t.Context()); err != nil || packs != 0 {
			t.Errorf("there are %d packs after the import is undone, %v", packs, err)
		}
	}
}

// Books of a version that stored no packs are read from their lines, and packed by the next import.
func TestBooksWithoutPacksAreReadFromTheirLines(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	states, err := b.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.ForgetPacks(t.Context()); err != nil {
		t.Fatal(err)
	}

	bare, err := b.Accounts(t.Context())
	lines := linesOf(t, b, bookkeeping.LineFilter{})

	if err != nil || bare[0].Lines != states[0].Lines || len(lines) != len(september.lines) {
		t.Errorf("the account is %+v, and was %+v; lines are %+v, %v", bare, states, lines, err)
	}
	take(t, b, source("b.qfx", october(func(*statement) {}).ofx()))
	checkPacked(t, b)
	checkLedger(t, b, append(septemberRows[:2:2], "2026-10-02 -50000 Landlord", "2026-10-05 -410 Cafe")...)
}

func TestADamagedPackIsMadeAgain(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	if err := b.DamagePacks(t.Context()); err != nil {
		t.Fatal(err)
	}

	lines := linesOf(t, b, bookkeeping.LineFilter{})
	take(t, b, source("b.qfx", october(func(*statement) {}).ofx()))

	if len(lines) != len(september.lines) {
		t.Errorf("the lines are %+v", lines)
	}
	checkLedger(t, b, append(septemberRows[:2:2], "2026-10-02 -50000 Landlord", "2026-10-05 -410 Cafe")...)
}
