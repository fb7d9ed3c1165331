package bookkeeping_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// rulesFile is a rules file in memory.
type rulesFile struct {
	text string
	fail error // error of Write
}

func (f *rulesFile) Path() string          { return "/home/ada/rules.toml" }
func (f *rulesFile) Read() (string, error) { return f.text, nil }

func (f *rulesFile) Write(text string) error {
	if f.fail == nil {
		f.text = text
	}
	return f.fail
}

// namesOf returns the counterparty and the category of each transaction, oldest first.
func namesOf(t *testing.T, b *bookkeeping.Books) []string {
	t.Helper()
	var names []string
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		page, err := snap.Transactions(b.Org, ledger.Filter{}, nil, 100)
		for _, row := range slices.Backward(page.Rows) {
			names = append(names, fmt.Sprintf("%s/%s", row.Counterparty, row.Category))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func checkNames(t *testing.T, b *bookkeeping.Books, want ...string) {
	t.Helper()
	if got := namesOf(t, b); !slices.Equal(got, want) {
		t.Errorf("transactions are %q, want %q", got, want)
	}
}

const rentRule = "[[rule]]\nmatch = \"landlord\"\ncategory = \"rent\"\n"

func TestAnImportTakesTheRulesOfTheFile(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{text: rentRule}
	b.RulesFile = file

	take(t, b, source("a.qfx", september.ofx()))
	checkNames(t, b, "Landlord/rent", "Customer/financing")

	file.text = ""
	take(t, b, source("a.qfx", september.ofx())) // the same file, with other rules
	checkNames(t, b, "Landlord/", "Customer/financing")
}

func TestAnUndoTakesTheRulesOfTheFile(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{}
	b.RulesFile = file
	take(t, b, source("a.qfx", september.ofx()))
	second := take(t, b, source("b.qfx", october(func(*statement) {}).ofx()))
	file.text = rentRule

	if _, err := b.Undo(t.Context(), string(second.Import)); err != nil {
		t.Fatal(err)
	}

	checkNames(t, b, "Landlord/rent", "Customer/financing")
}

func TestRulesInTheDatabaseHoldForEveryProcess(t *testing.T) {
	b := newBooks(t)
	replace := func(string) string { return rentRule }
	if _, err := b.EditRules(t.Context(), replace); err != nil {
		t.Fatal(err)
	}
	another := *b

	take(t, &another, source("a.qfx", september.ofx()))

	checkNames(t, b, "Landlord/rent", "Customer/financing")
}

func TestNewRulesSayHowManyRowsTheyChange(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()), source("b.qfx", october(func(*statement) {}).ofx()))

	change, err := b.EditRules(t.Context(), func(current string) string {
		return rentRule + "[[rule]]\nmatch = \"gusto\"\ncategory = \"payroll\"\n" + current
	})

	if err != nil || change.ChangedRows != 2 || !change.Applied || len(change.Rules) != 2 ||
		change.Rules[0].Hits != 2 || change.Rules[0].Match != "landlord" || change.Rules[1].Hits != 0 {
		t.Errorf("change is %+v, %v", change, err)
	}
	again, err := b.ApplyRules(t.Context())
	if err != nil || again.ChangedRows != 0 || len(again.Rules) != 2 {
		t.Errorf("the same rules change %+v, %v", again, err)
	}
	checkNames(t, b, "Landlord/rent", "Customer/financing", "Landlord/rent", "Cafe/")
}

func TestEditedRulesAreWrittenToTheFile(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{text: "# mine\n"}
	b.RulesFile = file
	take(t, b, source("a.qfx", september.ofx()))

	if _, err := b.EditRules(t.Context(), func(current string) string { return rentRule + current }); err != nil {
		t.Fatal(err)
	}

	if file.text != rentRule+"# mine\n" {
		t.Errorf("the file is %q", file.text)
	}
	checkNames(t, b, "Landlord/rent", "Customer/financing")
}

func TestRulesThatCannotBeWrittenChangeNothing(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{fail: errors.New("disk full")}
	b.RulesFile = file
	take(t, b, source("a.qfx", september.ofx()))

	_, err := b.EditRules(t.Context(), func(string) string { return rentRule })

	if !errors.Is(err, file.fail) {
		t.Errorf("error is %v", err)
	}
	checkNames(t, b, "Landlord/", "Customer/financing")
}

func TestRulesThatCannotBeReadChangeNothing(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{text: rentRule}
	b.RulesFile = file
	first := take(t, b, source("a.qfx", september.ofx()))
	file.text = rentRule + "colour = \"red\"\n"

	_, importing := b.Import(t.Context(), []bookkeeping.Source{source("b.qfx", october(func(*statement) {}).ofx())},
		bookkeeping.Options{})
	_, undoing := b.Undo(t.Context(), string(first.Import))
	_, applying := b.ApplyRules(t.Context())
	_, showing := b.Rules(t.Context())

	for _, err := range []error{importing, undoing, applying, showing} {
		if err == nil || !strings.HasPrefix(err.Error(), "/home/ada/rules.toml, line 4: colour is not a key") {
			t.Errorf("error is %v", err)
		}
	}
	checkNames(t, b, "Landlord/rent", "Customer/financing")
}

func TestRulesTellWhetherTheyAreApplied(t *testing.T) {
	b := newBooks(t)
	file := &rulesFile{}
	b.RulesFile = file
	take(t, b, source("a.qfx", september.ofx()))
	file.text = rentRule

	before, err := b.Rules(t.Context())

	if err != nil || before.Applied || len(before.Rules) != 1 || before.Rules[0].Hits != 1 ||
		before.Rules[0].Category != "rent" || *before.File != file.Path() {
		t.Errorf("rules are %+v, %v", before, err)
	}
	checkNames(t, b, "Landlord/", "Customer/financing")
	if _, err := b.ApplyRules(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after, err := b.Rules(t.Context()); err != nil || !after.Applied {
		t.Errorf("rules are %+v, %v", after, err)
	}
}

func TestRulesRefuseTransactionsFromElsewhere(t *testing.T) {
	b := newBooks(t)
	row := ledger.Transaction{
		ID: "txn_0123456789ABCDEFGHJKMNPQRS", Date: dayOf(t, "2026-03-01"), AmountMinor: 1, AmountKnown: true,
		Currency: "USD", Counterparty: "Bank", Source: ledger.LinkedBank,
	}
	err := b.Store.WriteOf(t.Context(), b.Org, func(tx *store.Tx) error {
		return tx.InsertTransactions(b.Org, []ledger.Transaction{row})
	})
	if err != nil {
		t.Fatal(err)
	}

	_, err = b.EditRules(t.Context(), func(string) string { return rentRule })

	if err == nil || !strings.Contains(err.Error(), "no import brought") {
		t.Errorf("error is %v", err)
	}
	checkLedger(t, b, "2026-03-01 -1 Bank")
}
