package table_test

import (
	"testing"

	"tarmac/service/statements/bank"
)

func TestTheNameIsOneColumnAndTheMemoTheOthers(t *testing.T) {
	for name, test := range map[string]struct{ content, counterparty, description, method string }{
		"a column of names": {"Date,Payee,Description,Note,Amount\n2026-04-13,Acme,INV 104,paid,1.00\n", "Acme",
			"INV 104 · paid", ""},
		"several texts": {"Date,Description,Details,Note,Amount\n2026-04-13,ACME CORP,INV 104,paid,1.00\n", "ACME CORP",
			"INV 104 · paid", ""},
		"one text": {"Date,Description,Amount\n2026-04-13,ACME CORP,1.00\n", "", "ACME CORP", ""},
		"directions before the text": {"Details,Date,Description,Amount\nDEBIT,2026-04-13,ACME CORP,-1.00\n" +
			"CREDIT,2026-04-14,BLUEFIN,2.00\n", "", "ACME CORP", "DEBIT"},
		"methods before two texts": {"Date;Buchungstext;Verwendungszweck;Bemerkung;Betrag\n" +
			"13.04.2026;SEPA-Lastschrift;ACME;x;-1,00\n14.04.2026;Gutschrift;BLUEFIN;y;2,00\n", "ACME", "x", "SEPA-Lastschrift"},
		"methods as names": {"Date,Name,Memo,Amount\n2026-04-13,ACH,ACME CORP,-1.00\n2026-04-14,WIRE IN,BLUEFIN,2.00\n",
			"", "ACME CORP", "ACH"},
		"methods beside their column": {"Date,Type,Transaction,Name,Amount\n2026-04-13,Card,DEBIT,ACME,-1.00\n", "ACME",
			"", "Card"},
		"names that begin with a method": {"Date,Name,Memo,Amount\n2026-04-13,Wire,x,-1.00\n2026-04-14,Card Factory,y,2.00\n",
			"Wire", "x", ""},
		"the payer of money out": {"Date,Type,Description,Payer,Amount\n2026-04-13,CARD,ACME,Jo Bakker,-1.00\n" +
			"2026-04-14,TOPUP,BLUEFIN,,2.00\n", "", "ACME", "CARD"},
		"the payer of money in": {"Date,Type,Description,Payer,Amount\n2026-04-13,TOPUP,thanks,Jo Bakker,1.00\n" +
			"2026-04-14,CARD,BLUEFIN,,-2.00\n", "Jo Bakker", "thanks", "TOPUP"},
		"the payer of money out, without a text": {"Date,Payer,Amount\n2026-04-13,Jo Bakker,-1.00\n2026-04-14,Acme,2.00\n",
			"Jo Bakker", "", ""},
		"a text that is only a method": {"Date,Description,Amount\n2026-04-13,DEPOSIT,-1.00\n2026-04-14,FEE,2.00\n", "",
			"DEPOSIT", ""},
	} {
		found, err := read(test.content, bank.Options{Sign: bank.OutNegative})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		line := found.Statements[0].Lines[0]
		if line.Counterparty != test.counterparty || line.Description != test.description || line.Method != test.method {
			t.Errorf("%s: name %q, text %q, method %q", name, line.Counterparty, line.Description, line.Method)
		}
	}
}
