package bookkeeping_test

import (
	"errors"
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

func TestImportsCountTheLinesThatTheyBrought(t *testing.T) {
	b := newBooks(t)
	longer := september
	longer.last = "2026-10-31"
	longer.lines = append(slices.Clone(september.lines), line{"2026-10-02", "-500.00", "3", "Landlord"})
	take(t, b, source("a.qfx", september.ofx()))
	take(t, b, source("b.qfx", longer.ofx()))
	take(t, b, source("c.qfx", september.ofx()))

	imports, err := b.Imports(t.Context())

	if err != nil || len(imports) != 3 || imports[0].New != 2 || imports[1].New != 1 || imports[2].New != 0 {
		t.Errorf("imports are %+v, %v", imports, err)
	}
}

func TestAccountsListThePeriodsThatDoNotAddUp(t *testing.T) {
	b := newBooks(t)
	first := september
	first.closing, first.closedOn = "1000.00", "2026-09-30"
	second := october(func(s *statement) { s.closing, s.closedOn = "495.00", "2026-10-31" })
	take(t, b, source("a.qfx", first.ofx()))
	report, err := b.Import(t.Context(), []bookkeeping.Source{source("b.qfx", second.ofx())},
		bookkeeping.Options{AcceptResidual: true})
	if err != nil || report.Failed() || !report.Files[0].Statements[0].Contradiction {
		t.Fatalf("the import: %+v, %v", report, err)
	}

	accounts, err := b.Accounts(t.Context())

	want := ownbooks.Difference{
		Period:    ownbooks.Period{First: civil.MustParse("2026-09-30"), Last: civil.MustParse("2026-10-31")},
		FromMinor: 100000, ToMinor: 49500, ResidualMinor: -90,
	}
	if err != nil || !slices.Equal(accounts[0].Differences, []ownbooks.Difference{want}) {
		t.Errorf("accounts are %+v, %v", accounts, err)
	}
}

func TestAPreviewOfAnUndoSaysWhatGoesAndKeepsIt(t *testing.T) {
	b := newBooks(t)
	first := take(t, b, source("a.qfx", september.ofx()))
	other := october(func(s *statement) { s.account = "00999999999" })
	second := take(t, b, source("a.qfx", september.ofx()), source("b.qfx", other.ofx()))

	preview, err := b.PreviewUndo(t.Context(), string(second.Import))

	if err != nil || preview.Lines != 2 || !slices.Equal(preview.Files, []string{"b.qfx"}) ||
		!slices.Equal(preview.Accounts, []string{"…9999"}) {
		t.Errorf("the preview is %+v, %v", preview, err)
	}
	if imports, err := b.Imports(t.Context()); err != nil || len(imports) != 2 {
		t.Errorf("after the preview there are %d imports, %v", len(imports), err)
	}
	if undone, err := b.Undo(t.Context(), string(first.Import)); err != nil || undone.Lines != 0 || len(undone.Files) > 0 {
		t.Errorf("undoing an import whose file another has took %+v, %v", undone, err)
	}
	if _, err := b.PreviewUndo(t.Context(), string(first.Import)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the preview of an undone import returned %v", err)
	}
}
