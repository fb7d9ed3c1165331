package bookkeeping

import (
	"fmt"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Transactions of unchanged days are derived again only if the constant derivation increases.
func TestTransactionsChangeOnlyWithTheVersionOfTheirDerivation(t *testing.T) {
	account := bookrules.Account{Organization: "org_a", Identity: "6789", Number: "00123456789", Currency: "EUR"}
	rates := bookrules.Valuation{Currency: bookrules.USD, Rates: bookrules.Rates{"EUR": []bank.Rate{
		{Currency: "EUR", Date: civil.New(2026, 9, 1), Numerator: 117, Denominator: 100},
	}}}
	var rows []ledger.Transaction
	for n, text := range []bank.Line{
		{Counterparty: "SQ *BLUE BOTTLE COFFEE 0042"}, {Description: "CHECKCARD 0612 COMCAST 04969 PHILADELPHIA PA"},
		{Counterparty: "ACME GmbH", Description: "SEPA-LASTSCHRIFT RE-2026-17 EREF+77", Reference: "77", Method: "SEPA"},
		{Description: "AMZN MKTP US*2K4L91 AMZN.COM/BILL WA"}, {Description: "UBER   *TRIP HELP.UBER.COM"}, {},
		{Description: "ORIG CO NAME:GUSTO ORIG ID:9138864001 DESC DATE:260902", Method: "ACH"},
		{Counterparty: "880412360"},
	} {
		merged := bookrules.Merged{Day: bookrules.DayOf(civil.New(2026, 9, 2)), Minor: int64(3-n) * 1234, Ordinal: n + 1}
		rows = append(rows, bookrules.Row(account, merged, text, bookrules.Name(text), bookrules.Outcome{}, rates))
		rows = append(rows, bookrules.LossRow(account, merged, 55, rates))
	}

	got := fmt.Sprintf("version %d: %x", derivation, digestOf(rows))

	const want = "version 7: fc390076e9332ef8b64c4d4506c001aa"
	if got != want {
		t.Errorf("got %q, want %q: increase the constant derivation, so that all days are derived again, and "+
			"change this test", got, want)
	}
}
