package bookkeeping_test

import (
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// usualOnPostgres matches the tests that the default run repeats on PostgreSQL: one of each kind,
// and those of several processes.
const usualOnPostgres = `^Test(NothingTwiceNothingLost|AnUndoneImport|AReadingReplaces|AnAnswerAboutAPayer` +
	`|AChangeOfTheBooksWaits|LinesAreListedOnce|PacksHold)`

func TestOnPostgreSQL(t *testing.T) {
	testdb.RunOnPostgres(t, usualOnPostgres, func(database string) {
		s, err := store.Open(t.Context(), database, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func dayOf(t testing.TB, text string) civil.Date {
	t.Helper()
	d, err := civil.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// october returns the statement that follows september's, changed by edit.
func october(edit func(s *statement)) statement {
	s := statement{
		account: september.account, first: "2026-10-01", last: "2026-10-31",
		lines: []line{{"2026-10-02", "-500.00", "3", "Landlord"}, {"2026-10-05", "-4.10", "4", "Cafe"}},
	}
	edit(&s)
	return s
}

// Header lines of CSV files for the account of september.
const (
	csvHead       = "Account number,00123456789\nCurrency,USD\n\nDate,Description,Amount\n"
	csvStatusHead = "Account number,00123456789\nCurrency,USD\n\nDate,Description,Amount,Status\n"
)

// The cases in which a line must be neither counted twice nor lost.
func TestNothingTwiceNothingLost(t *testing.T) {
	whole := statement{
		account: september.account, first: "2026-09-01", last: "2026-10-31",
		lines: append(slices.Clone(september.lines), october(func(*statement) {}).lines...),
	}
	wholeRows := append(slices.Clone(septemberRows), "2026-10-02 -50000 Landlord", "2026-10-05 -410 Cafe")
	for name, test := range map[string]struct {
		files []bookkeeping.Source
		want  []string
	}{
		"the same file": {
			[]bookkeeping.Source{source("a.qfx", september.ofx()), source("a.qfx", september.ofx())}, septemberRows,
		},
		"the file renamed": {
			[]bookkeeping.Source{source("a.qfx", september.ofx()), source("b.ofx", september.ofx())}, septemberRows,
		},
		"overlapping periods": {
			[]bookkeeping.Source{source("a.qfx", september.ofx()), source("b.qfx", whole.ofx())}, wholeRows,
		},
		"a late line in an old period": {
			[]bookkeeping.Source{
				source("a.qfx", october(func(s *statement) { s.lines = s.lines[1:] }).ofx()),
				source("b.qfx", october(func(*statement) {}).ofx()),
			},
			[]string{"2026-10-02 -50000 Landlord", "2026-10-05 -410 Cafe"},
		},
		"equal lines on one day": {
			[]bookkeeping.Source{
				source("a.qfx", october(func(s *statement) {
					s.lines = append(s.lines, line{"2026-10-05", "-4.10", "5", "Cafe"})
				}).ofx()),
				source("b.qfx", whole.ofx()),
			},
			append(slices.Clone(wholeRows), "2026-10-05 -410 Cafe"),
		},
		"a bank's id that is repeated": {
			[]bookkeeping.Source{
				source("a.qfx", october(func(s *statement) { s.lines[1].id = "3" }).ofx()),
				source("b.qfx", september.ofx()),
			},
			wholeRows,
		},
		"an account that was linked again, with other ids": {
			[]bookkeeping.Source{
				source("a.qfx", whole.ofx()),
				source("b.qfx", october(func(s *statement) { s.lines[0].id, s.lines[1].id = "x1", "x2" }).ofx()),
			},
			wholeRows,
		},
		"the same period in another format, dated by value": {
			[]bookkeeping.Source{
				source("a.qfx", september.ofx()),
				source("b.csv", csvHead+"09/03/2026,WIRE LANDLORD 0093,-500.00\n09/16/2026,DEPOSIT CUST,1200.00\n"),
			},
			septemberRows,
		},
		"pending, then booked": {
			[]bookkeeping.Source{
				source("a.csv", csvStatusHead+"09/02/2026,LANDLORD,-500.00,Posted\n09/15/2026,CUSTOMER,1200.00,Pending\n"),
				source("b.qfx", september.ofx()),
			},
			septemberRows,
		},
	} {
		t.Run(name, func(t *testing.T) {
			together := newRacedBooks(t)
			take(t, together, test.files...)
			checkLedger(t, together, test.want...)

			apart := newRacedBooks(t)
			for _, file := range slices.Backward(test.files) {
				take(t, apart, file)
			}
			checkLedger(t, apart, test.want...)
		})
	}
}

func TestAnUndoneImportLeavesNothing(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	before := ledgerOf(t, b)
	second := take(t, b, source("b.qfx", october(func(*statement) {}).ofx()))

	undone, err := b.Undo(t.Context(), string(second.Import))

	if err != nil || !slices.Equal(undone.Files, []string{"b.qfx"}) {
		t.Errorf("undone is %+v, %v", undone, err)
	}
	checkLedger(t, b, before...)
}

func TestALineStaysWhileAnotherImportContainsIt(t *testing.T) {
	b := newBooks(t)
	first := take(t, b, source("a.qfx", september.ofx()))
	take(t, b, source("b.qfx", september.ofx()))

	if _, err := b.Undo(t.Context(), string(first.Import)); err != nil {
		t.Fatal(err)
	}

	checkLedger(t, b, septemberRows...)
}
