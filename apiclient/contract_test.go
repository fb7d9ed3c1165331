package apiclient_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/contract"
)

// written maps the contract's operations for writes, documents and webhooks to calls, which
// return the undefined fields of the response.
var written = map[string]struct {
	status int
	call   func(context.Context, *apiclient.Client) (left []apiclient.Field, err error)
}{
	"proposeInvoice": {201, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		_, err := c.ProposeInvoice(ctx, proposal(), apiclient.IdempotencyKey("key-1"))
		return nil, err
	}},
	"getInvoicePdf": {200, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		_, err := c.InvoicePDF(ctx, "inv_1", io.Discard)
		return nil, err
	}},
	"listWebhooks": {200, func(ctx context.Context, c *apiclient.Client) (left []apiclient.Field, err error) {
		list, err := c.Webhooks(ctx)
		for _, w := range list {
			left = append(left, w.Extra...)
		}
		return left, err
	}},
	"createWebhook": {201, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		created, err := c.CreateWebhook(ctx, "https://hooks.example.com/finance",
			[]apiclient.EventType{apiclient.EventInvoicePaid})
		if err != nil {
			return nil, err
		}
		return created.Extra, nil
	}},
	"getWebhook": {200, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		return extra(c.Webhook(ctx, "wh_1"))
	}},
	"updateWebhook": {200, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		return extra(c.UpdateWebhook(ctx, "wh_1", apiclient.WebhookPatch{
			URL: ptr(
				"https://hooks.example.com/other",
			), EventTypes: []apiclient.EventType{apiclient.EventTest}, Status: ptr(apiclient.WebhookPaused),
		}))
	}},
	"deleteWebhook": {204, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		return nil, c.DeleteWebhook(ctx, "wh_1")
	}},
	"listWebhookDeliveries": {200, func(ctx context.Context, c *apiclient.Client) (left []apiclient.Field, err error) {
		list, err := c.WebhookDeliveries(ctx, "wh_1")
		for _, d := range list {
			left = append(left, d.Extra...)
		}
		return left, err
	}},
	"rotateWebhookSecret": {200, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		rotated, err := c.RotateWebhookSecret(ctx, "wh_1")
		if err != nil {
			return nil, err
		}
		return rotated.Extra, nil
	}},
	"verifyWebhook": {202, func(ctx context.Context, c *apiclient.Client) ([]apiclient.Field, error) {
		queued, err := c.VerifyWebhook(ctx, "wh_1")
		if err != nil {
			return nil, err
		}
		return queued.Extra, nil
	}},
}

func extra(w *apiclient.Webhook, err error) ([]apiclient.Field, error) {
	if err != nil {
		return nil, err
	}
	return w.Extra, nil
}

// The client's requests conform to the contract, and the client knows all fields of the
// contract's responses.
func TestTheContractsAnswersAreReadWhole(t *testing.T) {
	referee := contract.Load(t)
	doc, err := openapi3.NewLoader().LoadFromFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, item := range doc.Paths.Map() {
		for _, operation := range item.Operations() {
			c, ours := written[operation.OperationID]
			if !ours {
				continue
			}
			seen++
			for name, body := range examples(t, operation, c.status) {
				client, _ := serve(t, conforming(c.status, body),
					apiclient.WithHTTPClient(&http.Client{Transport: referee.Transport(t, nil)}))
				left, err := c.call(t.Context(), client)
				if err != nil || len(left) > 0 {
					t.Errorf("%s, %s: %v, and these fields are unknown: %+v", operation.OperationID, name, err, left)
				}
			}
			if referee.Seen()[operation.OperationID][c.status] == 0 {
				t.Errorf("%s was not seen with status %d", operation.OperationID, c.status)
			}
		}
	}
	if seen != len(written) {
		t.Errorf("the contract has %d of %d operations", seen, len(written))
	}
}

// examples returns the contract's example bodies for a status: JSON, a document, or
// nothing.
func examples(t *testing.T, operation *openapi3.Operation, status int) map[string]string {
	content := operation.Responses.Status(status).Value.Content
	media := content.Get("application/json")
	switch {
	case len(content) == 0:
		return map[string]string{"no body": ""}
	case media == nil:
		return map[string]string{"a document": document}
	}
	bodies := map[string]string{}
	for name, example := range media.Examples {
		b, err := json.Marshal(example.Value.Value)
		if err != nil {
			t.Fatal(err)
		}
		bodies[name] = string(b)
	}
	if len(bodies) == 0 {
		t.Errorf("%s has no example for %d", operation.OperationID, status)
	}
	return bodies
}

// conforming responds with the headers that the contract requires.
func conforming(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"X-Request-Id": "req_1", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Content-Type": "application/json",
			"Location":     "/api/ext/v1/x", "Content-Disposition": `inline; filename="INV-1.pdf"`,
		} {
			w.Header().Set(name, value)
		}
		switch {
		case body == document:
			w.Header().Set("Content-Type", "application/pdf")
		case body == "":
			w.Header().Del("Content-Type")
			w.WriteHeader(status)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}
