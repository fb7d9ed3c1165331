package bookkeeping_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// idsOf returns the public ids of the transactions of the API, newest first.
func idsOf(t *testing.T, b *bookkeeping.Books) (ids []string) {
	t.Helper()
	page, _, err := b.Store.Listing(t.Context(), b.Org, ledger.Filter{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// Files that name one account by its IBAN, its national number, without leading zeros, and masked.
func filesOfOneAccount() []bookkeeping.Source {
	iban := "DE89 3704 0044 0001 2345 67"
	national, masked := september, september
	national.account, masked.account = "0001234567", "xxxxxx4567"
	return []bookkeeping.Source{
		source("iban.csv", strings.ReplaceAll(csvHead, september.account, iban)+"2026-09-02,LANDLORD,-500.00\n"),
		source("national.qfx", national.ofx()),
		source("short.csv", strings.ReplaceAll(csvHead, september.account, "1234567")+"2026-09-20,CAFE,-4.10\n"),
		source("masked.qfx", masked.ofx()+" "),
	}
}

func TestPublicIDsDoNotDependOnTheFirstNumberOfAnAccount(t *testing.T) {
	var want []string
	for first := range filesOfOneAccount() {
		files := filesOfOneAccount()
		files = append(slices.Clone(files[first:]), files[:first]...)
		b := newBooks(t)
		imports := make([]string, len(files))
		for n, file := range files {
			imports[n] = string(take(t, b, file).Import)
		}

		accounts, err := b.Accounts(t.Context())
		if err != nil || len(accounts) != 1 {
			t.Fatalf("from file %d on: accounts are %+v, %v", first, accounts, err)
		}
		got := idsOf(t, b)
		if want == nil {
			want = got
		}
		if len(got) != 3 || !slices.Equal(got, want) {
			t.Errorf("from file %d on: ids are %q, want %q", first, got, want)
		}
		if _, err := b.Undo(t.Context(), imports[0]); err != nil {
			t.Fatal(err)
		}
		for _, id := range idsOf(t, b) {
			if !slices.Contains(want, id) {
				t.Errorf("from file %d on, without it: %s is new", first, id)
			}
		}
	}
}

func TestTwoOrganizationsCanImportOneFile(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	other := *b
	err := b.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
		other.Org, err = tx.CreateOrganization(store.Organization{PublicID: "org_b", Name: "Other", CreatedAt: now})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	take(t, &other, source("a.qfx", september.ofx()))

	checkLedger(t, &other, septemberRows...)
}

func TestWhatAPersonDecidedHoldsForEveryNumberOfAnAccount(t *testing.T) {
	b := newBooks(t)
	files := filesOfOneAccount()
	take(t, b, files[1])
	if _, err := b.SetRole(t.Context(), "0001234567", bookrules.Savings); err != nil {
		t.Fatal(err)
	}

	take(t, b, files[0])

	if accounts, err := b.Accounts(t.Context()); err != nil || len(accounts) != 1 ||
		accounts[0].Role != string(bookrules.Savings) {
		t.Errorf("accounts are %+v, %v", accounts, err)
	}
}

func TestAMaskedNumberOfTwoAccountsIsAsked(t *testing.T) {
	b := newBooks(t)
	other, masked := september, september
	other.account, masked.account = "99123456789", "xxxx6789"
	take(t, b, source("a.qfx", september.ofx()), source("b.qfx", other.ofx()))
	sources := []bookkeeping.Source{source("c.qfx", masked.ofx())}

	report, err := b.Import(t.Context(), sources, bookkeeping.Options{})
	if err != nil || report.Files[0].Question == nil || report.Files[0].Question.Flag != "--account" ||
		!slices.Equal(report.Files[0].Question.Choices, []string{september.account, other.account}) {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	answered := bookkeeping.Options{Read: bank.Options{Account: other.account}}
	report, err = b.Import(t.Context(), sources, answered)

	if err != nil || report.Failed() || report.Files[0].Statements[0].Known != 2 {
		t.Errorf("the answered report is %+v, %v", report, err)
	}
	if accounts, err := b.Accounts(t.Context()); err != nil || len(accounts) != 2 {
		t.Errorf("accounts are %+v, %v", accounts, err)
	}
}

// Six of ten lines of a file by value dates may be lines of the file by booking dates.
func TestLinesByOtherDatesAreAskedAboutInAnyOrder(t *testing.T) {
	booked := statement{account: september.account, first: "2026-09-01", last: "2026-09-30"}
	valued := csvHead
	for n := range 10 {
		amount := 100 + n
		booked.lines = append(booked.lines,
			line{fmt.Sprintf("2026-09-%02d", 3+2*n), fmt.Sprintf("-%d.00", amount), fmt.Sprint(n), "ACME"})
		if n < 4 {
			amount += 50
		}
		valued += fmt.Sprintf("2026-09-%02d,ACME,-%d.00\n", 4+2*n, amount)
	}
	one, other := source("booked.qfx", booked.ofx()), source("valued.csv", valued)
	for name, files := range map[string][]bookkeeping.Source{"booked first": {one, other}, "valued first": {other, one}} {
		b := newBooks(t)
		take(t, b, files[0])
		report := take(t, b, files[1])

		if text := strings.Join(report.Files[0].Problems, " "); len(idsOf(t, b)) != 20 ||
			!strings.Contains(text, "6 of 9 lines that only a csv file has") {
			t.Errorf("%s: %d transactions, %q", name, len(idsOf(t, b)), text)
		}
		if done := answer(t, b, "lines of other files", "yes"); done.Open != 0 || len(idsOf(t, b)) != 14 {
			t.Errorf("%s: %+v, then %d transactions", name, done, len(idsOf(t, b)))
		}
	}
}
