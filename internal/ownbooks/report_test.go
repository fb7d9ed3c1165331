package ownbooks_test

import (
	"testing"

	"tarmac/internal/ownbooks"
)

func TestOutcomesNamePaidInvoicesAndQuestions(t *testing.T) {
	report := ownbooks.Report{
		Import: "imp_1", PaidInvoices: []string{"INV-000001"}, Questions: make([]ownbooks.OpenQuestion, 2),
	}
	undone := ownbooks.Undone{Lines: 1, Files: []string{"a.qfx"}, PaidInvoices: []string{"INV-000001"}}

	imported, removed := report.Done("`tarmac books questions`"), undone.Done()

	want := "Imported as imp_1. 0 files: nothing to import. Paid now: INV-000001. " +
		"2 open questions: `tarmac books questions`."
	if imported != want {
		t.Errorf("the import says %q, want %q", imported, want)
	}
	want = "Undone: 1 line of 1 file removed. Stays paid without its payment: INV-000001."
	if removed != want {
		t.Errorf("undoing says %q, want %q", removed, want)
	}
}

func TestAStatementThatNamesNothingIsDescribedWithoutGaps(t *testing.T) {
	unnamed := ownbooks.Statement{Lines: 2, New: 2, InMinor: 25000, OutMinor: 1820}

	got := unnamed.Text()

	want := "account not named: 2 lines (2 new), in 250.00, out 18.20, closing balance —"
	if got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
