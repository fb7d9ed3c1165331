package bankfiles_test

import (
	"io"
	"testing"

	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/camt"
)

func TestCAMTIsReadBack(t *testing.T) {
	want := september(bank.Account{Number: "DE40999000000041200731", Bank: "HRPIDEF0", Name: "Euro"}, "EUR")
	want.Lines[2].Original = &bank.Original{Currency: "USD", Minor: 10_83, Rate: "1.0830"}

	found := readBack(t, camt.Format(), func(w io.Writer) error { return bankfiles.CAMT(w, written, 9, want) })

	if len(found.Statements) != 1 {
		t.Fatalf("%d statements, want 1", len(found.Statements))
	}
	want.Lines = want.Lines[:3] // pending lines have no place in the format
	checkStatement(t, found.Statements[0], want, func(l *bank.Line) {
		if l.Value.IsZero() {
			l.Value = l.Booked
		}
		l.Method = "PMNT-ICDT-ESCT"
		if l.Minor > 0 {
			l.Method = "PMNT-RCDT-ESCT"
		}
	})
}
