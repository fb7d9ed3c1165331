package events

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/views"
)

// Lists without room for the types say in a sentence what happened, and never cut the number.
func TestANarrowListSaysWhatHappenedWithTheWholeNumber(t *testing.T) {
	d := named(t, 8)
	d.data.SetCustomers([]apiclient.Invoice{{ID: "inv_0", RecipientName: "Villa Nova Imóveis do Alentejo Interior"}})
	d.second()
	d.Update(views.Visible(true))
	for _, width := range []int{64, 80, 99} {
		d.SetSize(width, 18)
		d.shows(" paid INV-0000", "Payee of pi_1: payment failed", "hello 株式会社: test event", "new kind",
			"INV-0004: invoice paid")
		if strings.Contains(d.text(), "invoice.paid") || !strings.Contains(d.text(), "Villa Nova") {
			t.Errorf("at %d:\n%s", width, d.text())
		}
	}
	for _, width := range []int{40, 120} {
		d.SetSize(width, 18)
		d.shows("invoice.paid")
	}
}

func TestANarrowListSaysWhichEventIsUnreadable(t *testing.T) {
	d := open(t, 0)
	d.server.feed = append(d.server.feed, apiclient.Event{
		ID: "evt_a", Type: "invoice.sent", Data: json.RawMessage(`{}`), Unreadable: &apiclient.ContractError{},
	})
	d.poll()
	for _, width := range []int{80, 120} {
		d.SetSize(width, 18)
		d.shows("unreadable", fmt.Sprint(apiclient.EventInvoiceSent))
	}
}
