package bankfiles_test

import (
	"io"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/mt940"
)

func TestMT940IsReadBack(t *testing.T) {
	first := september(bank.Account{Number: "9800417733", Bank: "NGTSUS30"}, "USD")
	for i := range first.Lines {
		first.Lines[i].Method = "NTRF"
	}
	first.Lines[0].Description = "A text of more than twenty seven bytes, DE409990000000412007310000 too"
	second := first
	second.First, second.Last = civil.MustParse("2026-10-01"), civil.MustParse("2026-10-31")
	second.Opening = &bank.Balance{Minor: first.Closing.Minor, Date: first.Last}
	second.Closing = &bank.Balance{Minor: first.Closing.Minor, Date: second.Last}
	second.Lines = nil

	found := readBack(t, mt940.Format(), func(w io.Writer) error { return bankfiles.MT940(w, first, second) })

	if len(found.Statements) != 2 {
		t.Fatalf("%d statements, want 2", len(found.Statements))
	}
	first.Lines = first.Lines[:3] // pending lines have no place in the format
	for i, want := range []bankfiles.Statement{first, second} {
		checkStatement(t, found.Statements[i], want, func(l *bank.Line) {
			if l.Value.IsZero() {
				l.Value = l.Booked
			}
		})
	}
}
