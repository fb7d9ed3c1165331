package bankfiles_test

import (
	"io"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/demodata/bankfiles"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/ofx"
)

func TestOFXIsReadBack(t *testing.T) {
	checking := september(bank.Account{
		Number: "440012344821", Bank: harborPine.Name, Kind: bank.KindChecking,
	}, "USD")
	card := cardInSeptember()

	found := readBack(t, ofx.Format(), func(w io.Writer) error {
		return bankfiles.OFX(w, harborPine, written, checking, card)
	})

	if len(found.Statements) != 2 {
		t.Fatalf("%d statements, want 2", len(found.Statements))
	}
	for i, want := range []bankfiles.Statement{checking, card} {
		want.Opening = nil
		checkStatement(t, found.Statements[i], want, func(l *bank.Line) { l.Value, l.OtherAccount = civil.Date{}, "" })
	}
}

func TestOFXDatesPendingLinesByTheirPurchase(t *testing.T) {
	s := cardInSeptember()
	pending := &s.Lines[len(s.Lines)-1]
	pending.Value = pending.Booked.AddDays(-1)

	found := readBack(t, ofx.Format(), func(w io.Writer) error { return bankfiles.OFX(w, harborPine, written, s) })

	lines := found.Statements[0].Lines
	if got := lines[len(lines)-1]; !got.Pending || got.Booked != pending.Value {
		t.Errorf("the pending line is %+v, want the date %v", got, pending.Value)
	}
}

// cardInSeptember returns the statement of a card that owes money.
func cardInSeptember() bankfiles.Statement {
	const owed = 2_000_000_00
	s := september(bank.Account{Number: "9999990000099016", Bank: harborPine.Name, Kind: bank.KindCard}, "USD")
	s.Opening.Minor, s.Closing.Minor = s.Opening.Minor-owed, s.Closing.Minor-owed
	return s
}
