package plain_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/plain"
)

// unreadableRecords is a server with one unreadable record in each list.
type unreadableRecords struct{ plain.Client }

var why = &apiclient.ContractError{Method: "GET", Route: "/x", Field: "data[1].status", Problem: "is missing"}

func (s unreadableRecords) TransactionPage(
	ctx context.Context,
	q apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	page, err := s.Client.TransactionPage(ctx, q)
	if err == nil && len(page.Data) > 1 {
		page.Data[1] = apiclient.Transaction{ID: "txn_bad", Unreadable: why}
	}
	return page, err
}

func (s unreadableRecords) EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	page, err := s.Client.EventPage(ctx, q)
	if err == nil && len(page.Data) > 1 {
		page.Data[1] = apiclient.Event{ID: "evt_bad", Unreadable: why}
	}
	return page, err
}

func (s unreadableRecords) Invoices(ctx context.Context, f apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	all, err := s.Client.Invoices(ctx, f)
	if err == nil {
		all[1] = apiclient.Invoice{ID: "inv_bad", Number: "INV-BAD", Unreadable: why}
	}
	return all, err
}

func (s unreadableRecords) Webhooks(context.Context) ([]apiclient.Webhook, error) {
	return []apiclient.Webhook{
		{ID: "wh_bad", Unreadable: why},
		{ID: "wh_1", URL: "https://example.com/", Status: apiclient.WebhookActive},
	}, nil
}

func (s unreadableRecords) WebhookDeliveries(context.Context, string) ([]apiclient.WebhookDelivery, error) {
	return []apiclient.WebhookDelivery{
		{ID: "whd_bad", Unreadable: why},
		{ID: "whd_1", Status: apiclient.DeliveryPending},
	}, nil
}

func TestARecordThatCannotBeReadIsSaidAmongTheOthers(t *testing.T) {
	k := talk{client: unreadableRecords{serve(t).client}}
	for page, want := range map[string][]string{
		"overview": {`1 transaction could not be read and is not listed: field status is missing`},
		"transactions": {`  1: 20`, `  2: Date unknown, txn_bad could not be read: field status is missing\.`,
			`  3: 20`, `1 transaction could not be read\.`},
		"invoices": {`  2: INV-BAD could not be read: field status is missing\.`, `  3: INV`,
			`1 invoice could not be read\.`},
		"events": {`  2: time unknown, event evt_bad could not be read`, `  3: 20`,
			`1 event could not be read\.`},
		"webhooks":                     {`  1: wh_bad could not be read`, `  2: https`, `1 endpoint could not be read\.`},
		"webhooks\nopen 1":             {`Endpoint wh_bad could not be read: field status is missing\.`},
		"invoices\nopen 2":             {`Invoices?`},
		"events\nopen 2":               {`Time unknown, event evt_bad could not be read`},
		"transactions\nopen 2":         {`Transaction txn_bad`, `could not be read: field status is missing`},
		"webhooks\nopen 2\ndeliveries": {`  1: whd_bad could not be read`, `  2: unknown`, `1 delivery could not be read\.`},
	} {
		text := k.say(t, strings.Split(page, "\n")...)
		inOrder(t, text, want...)
		readable(t, text)
	}
}

// The session refuses to change an unreadable endpoint, since the effect is unknown.
func TestAnEndpointThatCannotBeReadIsNotChanged(t *testing.T) {
	text := talk{client: unreadableRecords{serve(t).client}}.say(t, "webhooks", "open 1", "pause", "help")
	if strings.Contains(text, "activate") || strings.Contains(text, "The endpoint is paused") {
		t.Errorf("it was to be changed:\n%s", text)
	}
}

func TestAnExportInLinesSaysWhichRowsItIsWithout(t *testing.T) {
	k := talk{client: unreadableRecords{serve(t).client}}
	path := filepath.Join(t.TempDir(), "all.csv")

	text := k.say(t, "transactions", "export "+path)

	inOrder(t, text, `Exported 2,\d\d\d transactions \(\d+ more could not be read and are not in the file\) to `)
	if written, err := os.ReadFile(path); err != nil || strings.Contains(string(written), "txn_bad") {
		t.Errorf("%v, or a row without figures is in the file", err)
	}
}
