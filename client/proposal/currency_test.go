package proposal_test

import (
	"strings"
	"testing"

	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
)

func TestADescriptionThatBeginsWithAnotherCurrencyIsRefused(t *testing.T) {
	for text, currency := range map[string]string{
		"EUR Hours": "EUR", "eur hours": "EUR", " Gbp: travel": "GBP", "CHF": "CHF", "JPY/hour": "JPY",
		"CAD hours": "CAD", "ALL seats": "ALL", "€ Hours": "€", "£": "£",
	} {
		err := proposal.CheckDescription(text)
		if err == nil || err.Error() != "must not begin with "+currency+", because invoices are in USD" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "Hours", "5 m cable", "Europe trip", "EURO 2028 booth", "USD Hours", "$ Hours", "Hours in EUR", "All seats",
		"all seats", "try-out", "top floor", "cup holders", "mad science", "Pen", "EUR1 forms", "Ärger",
	} {
		if err := proposal.CheckDescription(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The dashboard and line mode show the refusal at the description's field.
func TestADraftInAnotherCurrencyIsRefusedAtItsDescription(t *testing.T) {
	d := sound
	d.Lines = []draft.Line{{Description: "EUR Hours", Quantity: "1", UnitPrice: "100"}}

	_, wrong := proposal.Read(d, civil.New(2026, 11, 20))

	if len(wrong) != 1 || !strings.HasSuffix(wrong["line_items[0].description"], "invoices are in USD") {
		t.Errorf("%v", wrong)
	}
}
