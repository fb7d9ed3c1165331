package bankfiles_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
)

var (
	harborPine = bankfiles.Institution{Name: "Harbor & Pine <Bank>", Routing: "990001232"}
	written    = civil.MustParse("2026-10-02")
)

// september returns a statement of an account with lines in, out, of zero cents and pending.
func september(a bank.Account, currency string) bankfiles.Statement {
	day := civil.MustParse
	return bankfiles.Statement{
		Statement: bank.Statement{
			Account: a, Currency: currency, First: day("2026-09-01"), Last: day("2026-09-30"),
			Opening: &bank.Balance{Minor: -5_00, Date: day("2026-08-31")},
			Closing: &bank.Balance{Minor: 1_234_565_55, Date: day("2026-09-30")},
		},
		Lines: []bank.Line{
			{
				Booked: day("2026-09-01"), Value: day("2026-08-31"), Minor: 1_234_567_89, ID: "202609010001",
				Counterparty: "Søndergaard & Sønner", Description: `Payment "in full" of INV-000123, thank you for it`,
				Reference: "INV-000123", Method: "CREDIT",
			},
			{
				Booked: day("2026-09-17"), Minor: -7_34, ID: "202609170001", Counterparty: "Coffee", Description: "<2 cups>",
				Method: "DEBIT",
			},
			{
				Booked: day("2026-09-30"), Minor: 10_00, ID: "202609300001", Counterparty: "Own savings",
				Description: "From 9800417733", OtherAccount: "9800417733", Method: "CREDIT",
			},
			{Booked: day("2026-10-01"), Minor: -3_00, Counterparty: "Bistro", Method: "DEBIT", Pending: true},
		},
	}
}

// readBack writes a file and returns what the format's reader finds in it.
func readBack(t *testing.T, format bank.Format, write func(io.Writer) error) *banks.Contents {
	t.Helper()
	var file bytes.Buffer
	if err := write(&file); err != nil {
		t.Fatal(err)
	}
	if !format.Recognize(bank.NewBudget(t.Context()), file.Bytes()) {
		t.Fatalf("%s does not recognize\n%s", format.Name, file.String())
	}
	found, err := banks.Read(format, bytes.NewReader(file.Bytes()), bank.Options{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, file.String())
	}
	if len(found.Problems) > 0 {
		t.Errorf("the reader remarks %q", found.Problems)
	}
	return found
}

// checkStatement compares a statement with what was written. carried removes from a line what
// the format has no place for.
func checkStatement(t *testing.T, got *banks.Statement, want bankfiles.Statement, carried func(*bank.Line)) {
	t.Helper()
	if !reflect.DeepEqual(*got.Statement, want.Statement) {
		t.Errorf("the statement is %+v, want %+v", *got.Statement, want.Statement)
	}
	if len(got.Lines) != len(want.Lines) {
		t.Fatalf("%d lines, want %d", len(got.Lines), len(want.Lines))
	}
	for i, l := range got.Lines {
		l.Place, l.Raw = 0, ""
		w := want.Lines[i]
		carried(&w)
		if !reflect.DeepEqual(l, w) {
			t.Errorf("line %d is\n%+v, want\n%+v", i+1, l, w)
		}
	}
}
