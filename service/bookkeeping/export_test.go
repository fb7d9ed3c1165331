package bookkeeping_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/journaltools"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/bookexport"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/demodata/samplefiles"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// export returns the books in a format.
func export(t testing.TB, b *bookkeeping.Books, format bookexport.Format) (string, bookkeeping.Exported) {
	t.Helper()
	var out bytes.Buffer
	w, err := bookexport.New(format, &out)
	if err != nil {
		t.Fatal(err)
	}
	exported, err := b.Export(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), exported
}

// journalNames returns the names of the accounts in exported journals.
func journalNames(t testing.TB, b *bookkeeping.Books) []bookexport.Name {
	t.Helper()
	var names []bookexport.Name
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		accounts, err := snap.BookAccounts(b.Org)
		names = bookexport.OwnNames(accounts)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// states returns the accounts of the books.
func states(t testing.TB, b *bookkeeping.Books) []ownbooks.Account {
	t.Helper()
	all, err := b.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkJournals checks that hledger, ledger and beancount accept the exported books and compute
// the balances that the books have.
func checkJournals(t *testing.T, b *bookkeeping.Books) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "books.")
	for _, format := range bookexport.Formats {
		text, _ := export(t, b, format)
		if err := os.WriteFile(path+string(format), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{}
	names := journalNames(t, b)
	for n, a := range states(t, b) {
		if a.Balance != nil && *a.Balance != 0 {
			key := string(names[n].Root) + ":" + names[n].Parts[0] + ":" + names[n].Parts[1] + "\t" + a.Currency
			want[plain(key)] = journaltools.Text(*a.Balance, money.Exponent(a.Currency))
		}
	}
	for program, found := range map[string]map[string]string{
		"hledger": journaltools.Hledger(t, path+"hledger"), "ledger": journaltools.Ledger(t, path+"hledger"),
		"beancount": journaltools.Beancount(t, path+"beancount"),
	} {
		own := map[string]string{}
		for key, balance := range found {
			if key = plain(key); strings.HasPrefix(key, "assets bank") || strings.HasPrefix(key, "liabilities card") {
				own[key] = balance
			}
		}
		if !maps.Equal(own, want) {
			t.Errorf("%s reads %v, want %v", program, own, want)
		}
	}
}

// plain returns the words of a name, in which the formats do not differ.
func plain(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// sampleBooks returns the books of the sample company.
func sampleBooks(t *testing.T, seed int64) *bookkeeping.Books {
	t.Helper()
	files, err := samplefiles.Generate(samplefiles.Options{Company: "Northlight Labs", Seed: seed, Today: civil.Of(now)})
	if err != nil {
		t.Fatal(err)
	}
	var all []bookkeeping.Source
	for _, f := range files {
		all = append(all, source(f.Name, string(f.Content)))
	}
	b := newBooks(t)
	take(t, b, all...)
	return b
}

func TestExportedBooksHaveTheBalancesOfTheBooks(t *testing.T) {
	testdb.SQLiteOnly(t)
	journaltools.Need(t, "hledger", "ledger", "bean-check", "bean-query")
	for _, seed := range []int64{1, 2} {
		checkJournals(t, sampleBooks(t, seed))
	}
}

func TestExportedBooksAreImportedAgain(t *testing.T) {
	testdb.SQLiteOnly(t)
	journaltools.Need(t, "hledger", "bean-check", "bean-query")
	b := sampleBooks(t, 1)
	for _, format := range []bookexport.Format{bookexport.Hledger, bookexport.Beancount} {
		text, _ := export(t, b, format)
		again := newBooks(t)
		for _, account := range []string{"assets:bank", "liabilities:card"} {
			if format == bookexport.Beancount {
				account = strings.NewReplacer("assets:bank", "Assets:Bank", "liabilities:card", "Liabilities:Card").Replace(account)
			}
			file := source("books.journal", text)
			file.Options = bank.Options{Account: account}
			take(t, again, file)
		}

		var got, want []int64
		for _, a := range states(t, again) {
			got = append(got, *a.Balance)
		}
		for _, a := range states(t, b) {
			want = append(want, *a.Balance)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the balances are %d, want %d", format, got, want)
		}
	}
}

func TestATransferIsOneTransactionIfItTakesNoDay(t *testing.T) {
	b := newBooks(t)
	instant := reserve
	instant.lines = []line{{"2026-09-14", "200.00", "1", "Transfer from 00123456789"}}
	take(t, b, source("a.qfx", checking.ofx()), source("b.qfx", instant.ofx()))

	text, exported := export(t, b, bookexport.Hledger)

	want := "    assets:bank:4321  200.00 USD\n    assets:bank:6789  -200.00 USD\n"
	if !strings.Contains(text, want) || exported.Transactions != 5 || strings.Contains(text, "in transit") {
		t.Errorf("%+v\n%s", exported, text)
	}
	checkJournals(t, b)
}

func TestATransferThatTakesDaysIsInTransit(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", checking.ofx()), source("b.qfx", reserve.ofx()))

	text, _ := export(t, b, bookexport.Hledger)

	if strings.Count(text, "assets:in transit  200.00 USD") != 1 ||
		strings.Count(text, "assets:in transit  -200.00 USD") != 1 {
		t.Error(text)
	}
	checkJournals(t, b)
}

func TestAResidualBecomesATransactionOfItsOwn(t *testing.T) {
	b := newBooks(t)
	october := statement{
		account: checking.account, first: "2026-10-01", last: "2026-10-31", closing: "1010.00", closedOn: "2026-10-31",
	}
	_, err := b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", checking.ofx()), source("b.qfx", october.ofx())},
		bookkeeping.Options{AcceptResidual: true})
	if err != nil {
		t.Fatal(err)
	}

	text, exported := export(t, b, bookexport.Hledger)

	if !strings.Contains(text, "assets:bank:6789  10.00 USD\n    equity:unexplained differences  -10.00 USD") ||
		len(exported.Notes) != 1 || !strings.Contains(exported.Notes[0], "10.00 is missing") {
		t.Errorf("%+v\n%s", exported, text)
	}
	checkJournals(t, b)
}

func TestDaysWithoutAStatementAreBalanced(t *testing.T) {
	b := newBooks(t)
	november := statement{
		account: checking.account, first: "2026-11-01", last: "2026-11-20", closing: "900.00", closedOn: "2026-11-20",
		lines: []line{{"2026-11-05", "-50.00", "9", "Stationer"}},
	}
	take(t, b, source("a.qfx", checking.ofx()), source("b.qfx", november.ofx()))

	text, exported := export(t, b, bookexport.Beancount)

	if !strings.Contains(text, "Equity:Days-without-statements") || len(exported.Notes) != 1 {
		t.Errorf("%+v\n%s", exported, text)
	}
	checkJournals(t, b)
}

func TestAnUnknownBalanceIsNotAsserted(t *testing.T) {
	b := newBooks(t)
	unknown := checking
	unknown.closing = ""
	take(t, b, source("a.qfx", unknown.ofx()))

	for _, format := range bookexport.Formats {
		text, exported := export(t, b, format)
		if len(exported.Notes) != 1 || strings.Contains(text, "= ") || strings.Contains(text, " balance Assets") {
			t.Errorf("%s: %+v\n%s", format, exported, text)
		}
	}
}

func TestLinesOfExcludedAccountsAreExported(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", checking.ofx()), source("b.qfx", reserve.ofx()))
	if _, err := b.SetRole(t.Context(), "4321", bookrules.Excluded); err != nil {
		t.Fatal(err)
	}

	text, _ := export(t, b, bookexport.Hledger)

	if !strings.Contains(text, "200.00 USD\n    equity:excluded accounts  -200.00 USD") {
		t.Error(text)
	}
	checkJournals(t, b)
}

func TestEmptyBooksAreExported(t *testing.T) {
	b := newBooks(t)
	for _, format := range bookexport.Formats {
		if _, exported := export(t, b, format); exported.Accounts != 0 || exported.Transactions != 0 {
			t.Errorf("%s: %+v", format, exported)
		}
	}
}
