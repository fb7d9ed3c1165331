package bookkeeping_test

import (
	"errors"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// stating returns the options of an import for which the user states balances.
func stating(balances ...bookkeeping.StatedBalance) bookkeeping.Options {
	return bookkeeping.Options{Balances: balances}
}

// isUnknown reports whether the API returns that the cash is not known.
func isUnknown(t *testing.T, b *bookkeeping.Books) (unknown bool) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(b.Org)
		unknown = account.Fault
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return unknown
}

func importWith(t *testing.T, b *bookkeeping.Books, options bookkeeping.Options,
	files ...bookkeeping.Source,
) *ownbooks.Report {
	t.Helper()
	report, err := b.Import(t.Context(), files, options)
	if err != nil || report.Failed() {
		t.Fatalf("import: %+v, %v", report, err)
	}
	return report
}

func TestAStatedBalanceMakesCashKnownAndIsUndone(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	if !isUnknown(t, b) {
		t.Fatal("the cash is known without a balance")
	}

	// The user states the balance at the end of the 10th. One line of the statement is later.
	report := importWith(t, b, stating(bookkeeping.StatedBalance{Text: "1,000@2026-09-10"}),
		source("a.qfx", september.ofx()))

	if cash := cashOf(t, b); isUnknown(t, b) || cash.AvailableCents != 220000 {
		t.Errorf("cash is %+v", cash)
	}
	states, err := b.Accounts(t.Context())
	if err != nil || *states[0].Balance != 220000 || states[0].AsOf.String() != "2026-09-30" {
		t.Errorf("the account is %+v, %v", states, err)
	}
	if _, err := b.Undo(t.Context(), string(report.Import)); err != nil {
		t.Fatal(err)
	}
	if !isUnknown(t, b) {
		t.Errorf("the balance is there without its import: %+v", cashOf(t, b))
	}
	checkLedger(t, b, septemberRows...)
}

func TestAStatedBalanceTakesPartInTheProof(t *testing.T) {
	withClosing := september
	withClosing.closing, withClosing.closedOn = "1700.00", "2026-09-30"
	for text, adds := range map[string]bool{"1,000@2026-08-31": true, "999.99@31 Aug 2026": false} {
		b := newBooks(t)

		report, err := b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", withClosing.ofx())},
			stating(bookkeeping.StatedBalance{Account: "6789", Text: text}))

		if err != nil || report.Failed() == adds {
			t.Errorf("%s: %+v, %v", text, report, err)
		}
		if !adds && !strings.Contains(report.Files[0].Error, "0.01 is missing") {
			t.Errorf("%s: %q", text, report.Files[0].Error)
		}
	}
}

func TestAStatedBalanceNeedsOneAccount(t *testing.T) {
	second := taxReserve
	second.closing = ""
	both := []bookkeeping.Source{source("a.qfx", september.ofx()), source("b.qfx", second.ofx())}
	for name, test := range map[string]struct {
		files  []bookkeeping.Source
		stated bookkeeping.StatedBalance
		want   string
	}{
		"two accounts without one": {both, bookkeeping.StatedBalance{Text: "1@2026-09-30"},
			"may be of …6789 (USD) or …2222 (USD); say which account is meant with --account"},
		"no account without one": {[]bookkeeping.Source{source("b.qfx", taxReserve.ofx())},
			bookkeeping.StatedBalance{Text: "1@2026-09-30"}, "balances of all accounts in the files are known"},
		"an unknown account": {both, bookkeeping.StatedBalance{Account: "7777", Text: "1@2026-09-30"}, "there are …6789"},
		"an amount": {both, bookkeeping.StatedBalance{Account: "6789", Text: "1,5@2026-09-30"},
			`"1,5" must be an amount`},
	} {
		b := newBooks(t)

		_, err := b.Import(t.Context(), test.files, stating(test.stated))

		if wrong := new(bookkeeping.BalanceError); !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		checkLedger(t, b)
	}
}

func TestTheAccountWithoutABalanceIsReported(t *testing.T) {
	b := newBooks(t)
	files := func() []bookkeeping.Source {
		return []bookkeeping.Source{source("a.qfx", september.ofx()), source("b.qfx", taxReserve.ofx())}
	}

	report := importWith(t, b, bookkeeping.Options{Preview: true}, files()...)
	again := importWith(t, b, stating(bookkeeping.StatedBalance{Text: "-20@2026-09-30"}), files()...)

	if len(report.Balances) != 1 || report.Balances[0].Account != "00123456789" || report.Balances[0].Currency != "USD" ||
		len(again.Balances) != 0 {
		t.Errorf("unknown are %v, then %v", report.Balances, again.Balances)
	}
	if cash := cashOf(t, b); cash.AvailableCents != 28000 {
		t.Errorf("cash is %+v", cash)
	}
}

func TestBalancesAreReadAsPeopleTypeThem(t *testing.T) {
	today := civil.New(2026, 11, 22)
	day := bookrules.DayOf(civil.New(2026, 9, 30))
	for text, want := range map[string]bookrules.Balance{
		"1,234.56@2026-09-30": {Day: day, Minor: 123456}, "$1.5k @ 30 Sep": {Day: day, Minor: 150000},
		"1,234.56 on 30 September 2026": {Day: day, Minor: 123456}, "-7 2026-09-30": {Day: day, Minor: -700},
		"-20@2026-09-30": {Day: day, Minor: -2000}, "+0@2026-09-30": {Day: day},
		"7 USD@yesterday": {Day: bookrules.DayOf(civil.New(2026, 11, 21)), Minor: 700},
	} {
		if got, err := bookkeeping.ParseBalance(text, "USD", today); err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "5", "@2026-09-30", "5@", "5@september", "5@2026-12-01", "1,5@2026-09-30", "5@2026-02-30",
	} {
		if got, err := bookkeeping.ParseBalance(text, "USD", today); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestABalanceIsStatedAfterTheImport(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))

	report, err := b.StateBalance(t.Context(), "6789", "-1,500 on 2026-09-30")
	if err != nil || report.Import == "" {
		t.Fatalf("report %+v, %v", report, err)
	}

	accounts, err := b.Accounts(t.Context())
	if err != nil || accounts[0].Balance == nil || *accounts[0].Balance != -150000 {
		t.Errorf("the accounts are %+v, %v", accounts, err)
	}
	if _, err := b.Undo(t.Context(), string(report.Import)); err != nil {
		t.Fatal(err)
	}
	if accounts, err = b.Accounts(t.Context()); err != nil || accounts[0].Balance != nil {
		t.Errorf("after undo the accounts are %+v, %v", accounts, err)
	}
	var wrong *bookkeeping.BalanceError
	if _, err := b.StateBalance(t.Context(), "7777", "1 on 2026-09-30"); !errors.As(err, &wrong) {
		t.Errorf("an unknown account is %v", err)
	}
}
