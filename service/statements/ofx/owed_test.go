package ofx_test

import (
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

// Issue 574 of buckets/application: a bank writes what a card owes as a positive balance.
func TestWhatACardOwesIsNegative(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    int64
		problem string
	}{
		"without a minus":  {card("-120.00", "120.00"), -12000, "is read as owed"},
		"with a minus":     {card("-120.00", "-120.00"), -12000, ""},
		"paid too much":    {card("120.00", "120.00"), 12000, "is read as a credit"},
		"nothing is owed":  {card("-120.00", "0.00"), 0, ""},
		"a bank's account": {document(transaction("-120.00", ""), ledger("120.00")), 12000, ""},
	} {
		found, err := read(test.content, bank.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		problems := strings.Join(found.Problems, "; ")
		if s := found.Statements[0]; s.Closing == nil || s.Closing.Minor != test.want ||
			!strings.Contains(problems, test.problem) || test.problem == "" && problems != "" {
			t.Errorf("%s: closing %+v, problems %q", name, s.Closing, problems)
		}
	}
}

func ledger(balance string) string {
	return "<LEDGERBAL><BALAMT>" + balance + "<DTASOF>20260930</LEDGERBAL>"
}

// card returns the statement of a card with a transaction and a balance.
func card(amount, balance string) string {
	return strings.NewReplacer("BANKACCTFROM", "CCACCTFROM", "STMTRS>", "CCSTMTRS>", "STMTTRNRS>", "CCSTMTTRNRS>",
		"BANKMSGSRSV1", "CREDITCARDMSGSRSV1").Replace(document(transaction(amount, ""), ledger(balance)))
}
