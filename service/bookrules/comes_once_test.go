package bookrules_test

import (
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

func TestMoneyThatComesOnceHasACategory(t *testing.T) {
	for text, want := range map[string]string{
		"STATE TREASURY 42 TAX REFUND":                       "Tax refund",
		"IRS TREAS 310 TAX REF":                              "Tax refund",
		"HMRC VTR VAT REPAYMENT 123456789":                   "Tax refund",
		"Finanzamt Mitte-Tiergarten UST 03/2026":             "Tax refund",
		"UMSATZSTEUER ERSTATTUNG Q3":                         "Tax refund",
		"Remboursement TVA 09/2026":                          "Tax refund",
		"Hiscox Insurance Claim 4711":                        "Insurance payout",
		"Allianz Versicherungs-AG Schaden 12-3456":           "Insurance payout",
		"AXA ASSURANCES SINISTRE 99":                         "Insurance payout",
		"Office deposit returned, Harbour Lane":              "Returned deposit",
		"Rückzahlung Mietkaution Musterstr. 3":               "Returned deposit",
		"Restitution dépôt de garantie":                      "Returned deposit",
		"Adobe refund":                                       "",
		"Zenith Insurance Ltd invoice 88":                    "",
		"MOBILE DEPOSIT REF 1234":                            "",
		"Tax Advisors LLP invoice 7":                         "",
		"Claim Software GmbH Rechnung 12":                    "",
		"Security deposit for rental of the event equipment": "",
	} {
		if got := bookrules.CategoryOf(bank.Line{Minor: 100_00, Description: text}); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if got := bookrules.CategoryOf(bank.Line{Minor: -100_00, Description: text}); got != "" {
			t.Errorf("%s, money out: %q", text, got)
		}
	}
}
