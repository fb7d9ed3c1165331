package bankfiles_test

import (
	"io"
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/table"
)

// described is a line of a CSV file, which has one text.
func described(l *bank.Line) {
	l.Description = l.Counterparty + " " + l.Description
	l.ID, l.Counterparty, l.OtherAccount, l.Method, l.Value = "", "", "", "", civil.Date{}
}

// withBalances sets the balance after each line.
func withBalances(s bankfiles.Statement) []bank.Line {
	lines := slices.DeleteFunc(slices.Clone(s.Lines), func(l bank.Line) bool { return l.Pending })
	balance := s.Opening.Minor
	for i := range lines {
		balance += lines[i].Minor
		after := balance
		lines[i].Running = &after
	}
	return lines
}

func TestAccountCSVIsReadBack(t *testing.T) {
	want := september(bank.Account{Number: "440012344821"}, "USD")

	found := readBack(t, table.Format(), func(w io.Writer) error { return bankfiles.AccountCSV(w, harborPine, want) })

	want.Lines = withBalances(want)
	slices.Reverse(want.Lines)
	checkCSV(t, found, want, described)
}

func TestCardCSVIsReadBack(t *testing.T) {
	want := september(bank.Account{Number: "9999990000099016", Kind: bank.KindCard}, "USD")

	found := readBack(t, table.Format(), func(w io.Writer) error { return bankfiles.CardCSV(w, want) })

	want.Lines = withBalances(want)
	checkCSV(t, found, want, func(l *bank.Line) {
		described(l)
		l.Reference = ""
	})
}

// checkCSV compares what a reader found with a statement. CSV has no period.
func checkCSV(t *testing.T, found *banks.Contents, want bankfiles.Statement, carried func(*bank.Line)) {
	t.Helper()
	if len(found.Statements) != 1 {
		t.Fatalf("%d statements, want 1", len(found.Statements))
	}
	got := found.Statements[0]
	got.Making = "" // hash of the header
	want.First, want.Last = civil.Date{}, civil.Date{}
	checkStatement(t, got, want, carried)
}
