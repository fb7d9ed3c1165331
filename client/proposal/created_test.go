package proposal_test

import (
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/proposal"
)

// invoiceOf returns an invoice with the given subtotal, tax and total in cents.
func invoiceOf(subtotal, tax, total int64) apiclient.Invoice {
	return apiclient.Invoice{
		Subtotal: apiclient.NewAmount(subtotal, "USD"), Tax: apiclient.NewAmount(tax, "USD"),
		Total: apiclient.NewAmount(total, "USD"),
	}
}

func TestADifferenceFromTheServersSubtotalIsSaid(t *testing.T) {
	what := sent().Proposal
	cents, err := what.Total()
	if err != nil {
		t.Fatal(err)
	}

	if got := proposal.Difference(what, invoiceOf(cents, 100, cents+100)); got != "" {
		t.Errorf("the subtotals agree, but it says %q", got)
	}
	if got := proposal.Difference(what, invoiceOf(cents+1, 0, cents+1)); !strings.Contains(got, "The subtotal of") {
		t.Errorf("one cent apart it says %q", got)
	}
	if got := proposal.Difference(what, apiclient.Invoice{}); !strings.Contains(got, "—") {
		t.Errorf("with an unknown subtotal it says %q", got)
	}
}

func TestTaxIsShownWhereThereIsSome(t *testing.T) {
	for name, c := range map[string]struct {
		invoice apiclient.Invoice
		want    []string
	}{
		"no tax":    {invoiceOf(500, 0, 500), []string{"Total $5.00"}},
		"tax":       {invoiceOf(500, 95, 595), []string{"Subtotal $5.00", "Tax $0.95", "Total $5.95"}},
		"unknown":   {apiclient.Invoice{}, []string{"Subtotal —", "Tax —", "Total —"}},
		"not a sum": {invoiceOf(500, 0, 600), []string{"Subtotal $5.00", "Tax $0.00", "Total $6.00"}},
	} {
		var got []string
		for _, s := range proposal.Sums(c.invoice) {
			got = append(got, s.Label+" "+s.Amount.String())
		}
		if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
