package einvoice_test

import (
	"os"
	"strings"
	"testing"
)

// cii returns the CII invoice of testdata with other payment terms.
func cii(t *testing.T, terms string) string {
	t.Helper()
	content, err := os.ReadFile("testdata/cii-invoice.xml")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(content), "<ram:SpecifiedTradePaymentTerms>")
	_, after, found := strings.Cut(rest, "</ram:SpecifiedTradePaymentTerms>")
	if !found {
		t.Fatal("the sample has no payment terms")
	}
	return before + terms + after
}

func ciiTerm(text, due, percent string) string {
	term := "<ram:SpecifiedTradePaymentTerms><ram:Description>" + text + "</ram:Description>"
	if due != "" {
		term += `<ram:DueDateDateTime><udt:DateTimeString format="102">` + due + "</udt:DateTimeString></ram:DueDateDateTime>"
	}
	if percent != "" {
		term += "<ram:ApplicableTradePaymentDiscountTerms><ram:CalculationPercent>" + percent +
			"</ram:CalculationPercent></ram:ApplicableTradePaymentDiscountTerms>"
	}
	return term + "</ram:SpecifiedTradePaymentTerms>"
}

func TestTheNetAmountsDayIsTheDueDate(t *testing.T) {
	ubl := func(terms string) string {
		return sample(t, "<cbc:DueDate>2026-10-14</cbc:DueDate>", "",
			"<cac:LegalMonetaryTotal>", terms+"<cac:LegalMonetaryTotal>")
	}
	for name, test := range map[string]struct{ content, due, problem string }{
		"a discount before the net amount": {cii(t, ciiTerm("3% Skonto", "20261124", "3.0")+ciiTerm("ohne Abzug",
			"20261213", "")),
			"2026-12-13", "has a discount of 3% until 2026-11-24"},
		"the net amount before a discount": {cii(t, ciiTerm("30 jours net", "20261227", "")+ciiTerm("escompte",
			"20261121", "10")),
			"2026-12-27", "has a discount of 10% until 2026-11-21"},
		"a discount in words alone": {cii(t, ciiTerm("Sconto 2% entro", "20261110", "")+ciiTerm("Saldo", "20261130", "")),
			"2026-11-30", "has a discount until 2026-11-10"},
		"both in one term": {cii(t, ciiTerm("10 Tage 2% Skonto, 30 Tage netto", "20261130", "2")), "2026-11-30", ""},
		"a discount alone": {cii(t, ciiTerm("2% discount", "20261110", "2.00")), "2026-11-10", ""},
		"no discount":      {cii(t, ciiTerm("Zahlbar sofort", "20261101", "0.00")), "2026-11-01", ""},
		"terms of UBL": {ubl("<cac:PaymentTerms><cbc:SettlementDiscountPercent>2</cbc:SettlementDiscountPercent>" +
			"<cac:SettlementPeriod><cbc:EndDate>2026-10-10</cbc:EndDate></cac:SettlementPeriod></cac:PaymentTerms>" +
			"<cac:PaymentTerms><cbc:Note>netto</cbc:Note><cbc:PaymentDueDate>2026-10-30</cbc:PaymentDueDate>" +
			"</cac:PaymentTerms>"),
			"2026-10-30", "has a discount of 2% until 2026-10-10"},
	} {
		found, err := read(test.content)

		if err != nil || len(found.OpenItems) != 1 || found.OpenItems[0].Due.String() != test.due {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}
		problems := ""
		for _, p := range found.Problems {
			problems += p
		}
		if !strings.Contains(problems, test.problem) || test.problem == "" && problems != "" {
			t.Errorf("%s: the problems are %q", name, problems)
		}
	}
}
