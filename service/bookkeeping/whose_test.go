package bookkeeping_test

import (
	"slices"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// evidenceOf returns the evidence of each transaction, oldest first, as a page of several and for
// each alone.
func evidenceOf(t *testing.T, b *bookkeeping.Books) (all []string) {
	t.Helper()
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		page, err := snap.Transactions(b.Org, ledger.Filter{}, nil, 100)
		if err != nil {
			return err
		}
		for _, row := range slices.Backward(page.Rows) {
			alone, err := bookkeeping.Annotations(snap, b.Org, []ledger.Transaction{row})
			if err != nil {
				return err
			}
			all = append(all, string(alone[0].Evidence.Code)+" "+alone[0].Evidence.Account)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func checkEvidence(t *testing.T, b *bookkeeping.Books, want ...string) {
	t.Helper()
	if got := evidenceOf(t, b); !slices.Equal(got, want) {
		t.Errorf("evidence is %q, want %q", got, want)
	}
}

func TestOwnMoneyNamesTheNumberInItsText(t *testing.T) {
	b := newBooks(t)
	take(t, b,
		source("a.qfx", statement{account: "00123456789", first: "2026-08-01", last: "2026-08-31", lines: []line{
			{"2026-08-05", "-900.00", "1", "Transfer to 00987654321"}, {"2026-08-06", "-20.00", "2", "Paper"},
		}}.ofx()),
		source("b.qfx", statement{account: "00987654321", first: "2026-08-01", last: "2026-08-31", lines: []line{
			{"2026-08-20", "-30.00", "3", "Fee"},
		}}.ofx()))

	checkEvidence(t, b, "account_number 121000358 …4321", " ", " ")
}

func TestOwnMoneyIsAskedAboutThenNamesTheCompany(t *testing.T) {
	b := newBooks(t)
	rename(t, b, "Kestrel Works Ltd")
	take(t, b, source("a.qfx", named("00123456789", "-").ofx()))

	checkEvidence(t, b, "question ", "question ", "question ")
	answer(t, b, "own money", "yes")
	checkEvidence(t, b, "company_name ", "company_name ", "company_name ")
}

func TestFinancingIsFromAQuestionAnAnswerOrARule(t *testing.T) {
	lines := []line{{"2026-08-05", "90000.00", "1", "Harbor Bank loan drawdown"}, {"2026-08-06", "-20.00", "2", "Paper"}}
	file := source("a.qfx", statement{account: "00123456789", first: "2026-08-01", last: "2026-08-31", lines: lines}.ofx())
	b := newBooks(t)
	take(t, b, file)

	checkEvidence(t, b, "question ", " ")
	answer(t, b, "Harbor Bank", "yes")
	checkEvidence(t, b, "answer ", " ")

	b = newBooks(t)
	b.RulesFile = &rulesFile{text: "[[rule]]\nmatch = \"drawdown\"\ncategory = \"financing\"\n"}
	take(t, b, file)
	checkEvidence(t, b, "rule ", " ")
}
