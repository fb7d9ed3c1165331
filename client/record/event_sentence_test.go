package record_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/record"
)

func TestAnEventSaysWhoDidWhatWithTheNumberLast(t *testing.T) {
	invoice := `{"invoice_id":"inv_1","number":"INV-000248","total_cents":5,"currency":"USD"}`
	payment := `{"payment_intent_id":"pi_1","amount_cents":5,"currency":"USD"}`
	for _, c := range []struct {
		kind            apiclient.EventType
		data, who, want string
	}{
		{apiclient.EventInvoicePaid, invoice, "Osprey Analytics", "Osprey Analytics paid INV-000248"},
		{apiclient.EventInvoiceSent, invoice, "Osprey Analytics", "Osprey Analytics was sent INV-000248"},
		{apiclient.EventInvoiceOverdue, invoice, "Osprey Analytics", "Osprey Analytics is late with INV-000248"},
		{apiclient.EventInvoiceVoided, invoice, "Osprey Analytics", "Osprey Analytics no longer owes INV-000248"},
		{"invoice.framed", invoice, "Osprey Analytics", "INV-000248"},
		{apiclient.EventInvoicePaid, invoice, "", "INV-000248"},
		{apiclient.EventInvoicePaid, `{"invoice_id":"inv_1"}`, "Osprey", "Osprey paid inv_1"},
		{apiclient.EventPaymentFailed, payment, "Cumulus", "Cumulus"},
		{apiclient.EventPaymentFailed, payment, "", ""},
		{apiclient.EventTest, `{"message":"hello"}`, "Cumulus", ""},
	} {
		e := apiclient.Event{Type: c.kind, Data: []byte(c.data)}
		if got := record.EventSentence(&e, c.who); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.kind, c.who, got, c.want)
		}
	}
}
