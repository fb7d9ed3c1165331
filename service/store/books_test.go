package store_test

import (
	"errors"
	"reflect"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// bookkeeper writes own books for tests.
type bookkeeper struct {
	t   *testing.T
	tx  *store.Tx
	org store.OrgKey
}

func (b bookkeeper) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// keep runs fn in a transaction of a new organization.
func keep(t *testing.T, s *store.Store, org store.OrgKey, fn func(b bookkeeper)) {
	t.Helper()
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		fn(bookkeeper{t, tx, org})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// file adds a file with a statement of two lines, a list of one open invoice and a rate.
func (b bookkeeper) file(account int64, hash byte) (file, statement int64) {
	b.t.Helper()
	file, err := b.tx.InsertBookFile(b.org, bookrules.File{
		Hash: [32]byte{hash}, SHA256: [32]byte{1}, Format: "ofx", Making: "ofx",
	})
	b.must(err)
	statement, err = b.tx.InsertBookStatement(b.org, bookrules.Statement{File: file, Account: account})
	b.must(err)
	b.must(b.tx.InsertBookLines(b.org, []bookrules.Line{
		{Statement: statement, Line: bank.Line{
			Place: 3, Booked: civil.New(2026, 9, 2), Value: civil.New(2026, 9, 1), Minor: -500, ID: "a",
			Counterparty: "Landlord", Original: &bank.Original{Currency: "EUR", Minor: -450, Rate: "1.11"}, Raw: "raw",
		}},
		{Statement: statement, Line: bank.Line{Place: 4, Booked: civil.New(2026, 9, 1), Minor: 700, Transfer: true}},
	}))
	_, err = b.tx.InsertBookOpenList(b.org, bookrules.OpenList{
		File: file, Side: bank.Payable, Source: "xero", AsOf: 9,
		Items: []bank.OpenItem{{Place: 1, Number: "7", Currency: "USD", Minor: 12}},
	})
	b.must(err)
	b.must(b.tx.InsertBookRate(b.org, file, bank.Rate{
		Currency: "EUR", Date: civil.New(2026, 9, 1), Numerator: 11, Denominator: 10,
	}))
	return file, statement
}

func (b bookkeeper) account(number string) int64 {
	b.t.Helper()
	key, err := b.tx.InsertBookAccount(
		b.org,
		bookrules.Account{Number: number, Currency: "USD", Role: bookrules.Operating},
	)
	b.must(err)
	return key
}

func TestBooksKeepWhatFilesSay(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	opening, closing := &bookrules.Balance{Day: 1, Minor: 5, Opening: true}, &bookrules.Balance{Day: 30, Minor: -7}
	var account, statement int64
	keep(t, s, org, func(b bookkeeper) {
		account = b.account("DE123")
		var file int64
		file, statement = b.file(account, 1)
		b.must(b.tx.UpdateBookStatement(org, bookrules.Statement{
			Key: statement, File: file, Account: account, Covered: bookrules.Span{First: 1, Last: 30},
			Opening: opening, Closing: closing, Lines: 2, InflowMinor: 700, OutflowMinor: 500,
		}))
	})

	read(t, s, func(snap *store.Snapshot) error {
		statements, err := snap.BookStatements(org)
		if err != nil || len(statements) != 1 || !reflect.DeepEqual(statements[0].Opening, opening) ||
			!reflect.DeepEqual(statements[0].Closing, closing) || statements[0].InflowMinor != 700 {
			t.Errorf("statements are %+v, %v", statements, err)
		}
		entries := map[int64]bookrules.Entry{} // by amount
		err = snap.BookEntries(org, account, func(of int64, e bookrules.Entry) {
			if of != statement {
				t.Errorf("a line is of statement %d, want %d", of, statement)
			}
			entries[e.Minor] = e
		})
		in, out := entries[700], entries[-500]
		if err != nil || len(entries) != 2 || in.ID != 0 || out.ID == 0 || out.Value != in.Day || out.Line == in.Line {
			t.Errorf("entries are %+v, %v", entries, err)
		}
		var lines []bookrules.Line
		day := bookrules.DayOf(civil.New(2026, 9, 2))
		err = snap.BookLines(org, account, bookrules.Span{First: day, Last: day}, func(l bookrules.Line) error {
			lines = append(lines, l)
			return nil
		})
		wantLine := bank.Line{
			Place: 3, Booked: civil.New(2026, 9, 2), Value: civil.New(2026, 9, 1), Minor: -500, ID: "a",
			Counterparty: "Landlord", Original: &bank.Original{Currency: "EUR", Minor: -450, Rate: "1.11"},
		}
		if err != nil || len(lines) != 1 || !reflect.DeepEqual(lines[0].Line, wantLine) || lines[0].Statement != statement {
			t.Errorf("lines are %+v, %v", lines, err)
		}
		rates, err := snap.BookRates(org, "EUR", bookrules.Span{First: day - 7, Last: day})
		if err != nil || len(rates) != 1 || rates[0].Numerator != 11 || rates[0].Date != civil.New(2026, 9, 1) {
			t.Errorf("rates are %+v, %v", rates, err)
		}
		spans, err := snap.BookRateSpans(org)
		want := []bookrules.RateSpan{{Currency: "EUR", Span: bookrules.Span{First: day - 1, Last: day - 1}, Days: 1}}
		if err != nil || !reflect.DeepEqual(spans, want) {
			t.Errorf("rates are of %+v, %v", spans, err)
		}
		lists, err := snap.BookOpenLists(org)
		if err != nil || len(lists) != 1 || lists[0].Source != "xero" || len(lists[0].Items) != 1 {
			t.Errorf("open invoices are %+v, %v", lists, err)
		}
		return nil
	})
}

func TestAnUndoneImportLeavesTheFilesOfOthers(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	var account, first, second int64
	keep(t, s, org, func(b bookkeeper) {
		account = b.account("DE123")
		shared, _ := b.file(account, 1)
		alone, _ := b.file(b.account("DE124"), 2)
		var err error
		first, err = b.tx.InsertBookImport(org, bookrules.Import{ID: "imp_1", At: created})
		b.must(err)
		second, err = b.tx.InsertBookImport(org, bookrules.Import{ID: "imp_2", At: created})
		b.must(err)
		b.must(b.tx.LinkBookFile(org, first, named(shared, "a.ofx")))
		b.must(b.tx.LinkBookFile(org, first, named(alone, "b.ofx")))
		b.must(b.tx.LinkBookFile(org, second, named(shared, "c.ofx")))
	})

	keep(t, s, org, func(b bookkeeper) {
		b.must(b.tx.DeleteBookImport(org, first))
		b.must(b.tx.DeleteUnusedBookAccounts(org))
	})

	keep(t, s, org, func(b bookkeeper) {
		imports, err := b.tx.BookImports(org)
		if err != nil || len(imports) != 1 || imports[0].ID != "imp_2" || imports[0].Files[0].Name != "c.ofx" {
			t.Errorf("imports are %+v, %v", imports, err)
		}
		accounts, err := b.tx.BookAccounts(org)
		if err != nil || len(accounts) != 1 || accounts[0].Key != account {
			t.Errorf("accounts are %+v, %v", accounts, err)
		}
		if _, err := b.tx.BookFile(org, [32]byte{1}); err != nil {
			t.Error(err)
		}
		if _, err := b.tx.BookFile(org, [32]byte{2}); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the other file: %v", err)
		}
		b.must(b.tx.DeleteBookImport(org, second))
		err = b.tx.BookEntries(org, accounts[0].Key, func(_ int64, e bookrules.Entry) {
			t.Errorf("the line %+v is still there", e)
		})
		b.must(err)
	})
}

func TestAnswersInBooksReplaceEachOther(t *testing.T) {
	s := open(t)
	org := organization(t, s, "a")
	keep(t, s, org, func(b bookkeeper) {
		b.must(b.tx.SetBookAnswer(org, "one", "yes"))
		b.must(b.tx.SetBookAnswer(org, "two", "yes"))
		b.must(b.tx.SetBookAnswer(org, "two", "no"))
		b.must(b.tx.SetBookAnswer(org, "one", ""))

		answers, err := b.tx.BookAnswers(org)

		if err != nil || !reflect.DeepEqual(answers, map[string]string{"two": "no"}) {
			t.Errorf("answers are %v, %v", answers, err)
		}
	})
}

// named returns a stored file with its name in an import.
func named(file int64, name string) bookrules.ImportedFile {
	return bookrules.ImportedFile{Name: name, File: bookrules.File{Key: file}}
}
