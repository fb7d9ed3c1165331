package contract

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// operations are the API's operations with their scopes and success statuses (docs/api.md,
// Operations).
var operations = map[string]struct {
	id, scope string
	success   int
}{
	"GET /api/ext/v1/ping":                                {"ping", "", 200},
	"GET /api/ext/v1/account":                             {"getAccount", "account:read", 200},
	"GET /api/ext/v1/insights/cash-position":              {"getCashPosition", "account:read", 200},
	"GET /api/ext/v1/receivables/aging":                   {"getReceivablesAging", "invoices:read", 200},
	"GET /api/ext/v1/invoices":                            {"listInvoices", "invoices:read", 200},
	"POST /api/ext/v1/invoices":                           {"proposeInvoice", "invoices:propose", 201},
	"GET /api/ext/v1/invoices/{invoiceId}":                {"getInvoice", "invoices:read", 200},
	"GET /api/ext/v1/invoices/{invoiceId}/pdf":            {"getInvoicePdf", "invoices:read", 200},
	"GET /api/ext/v1/transactions":                        {"listTransactions", "payments:read", 200},
	"GET /api/ext/v1/transactions/{transactionId}":        {"getTransaction", "payments:read", 200},
	"GET /api/ext/v1/payment-intents/{intentId}":          {"getPaymentIntent", "payments:read", 200},
	"GET /api/ext/v1/events":                              {"listEvents", "event_feed:read", 200},
	"GET /api/ext/v1/events/{eventId}":                    {"getEvent", "event_feed:read", 200},
	"GET /api/ext/v1/webhooks":                            {"listWebhooks", "webhook_endpoints:manage", 200},
	"POST /api/ext/v1/webhooks":                           {"createWebhook", "webhook_endpoints:manage", 201},
	"GET /api/ext/v1/webhooks/{webhookId}":                {"getWebhook", "webhook_endpoints:manage", 200},
	"PATCH /api/ext/v1/webhooks/{webhookId}":              {"updateWebhook", "webhook_endpoints:manage", 200},
	"DELETE /api/ext/v1/webhooks/{webhookId}":             {"deleteWebhook", "webhook_endpoints:manage", 204},
	"GET /api/ext/v1/webhooks/{webhookId}/deliveries":     {"listWebhookDeliveries", "webhook_endpoints:manage", 200},
	"POST /api/ext/v1/webhooks/{webhookId}/rotate-secret": {"rotateWebhookSecret", "webhook_endpoints:manage", 200},
	"POST /api/ext/v1/webhooks/{webhookId}/verify":        {"verifyWebhook", "webhook_endpoints:manage", 202},
}

func TestOperationsAreThoseOfTheAPI(t *testing.T) {
	c := Load(t)
	all := c.Operations()
	if len(all) != len(operations) {
		t.Errorf("%d operations, want %d", len(all), len(operations))
	}
	for _, op := range all {
		want, ok := operations[op.Method+" "+op.Path]
		if !ok {
			t.Errorf("%s %s is not in the API", op.Method, op.Path)
			continue
		}
		if op.ID != want.id || op.Scope != want.scope {
			t.Errorf("%s %s is %s with scope %q, want %s with %q", op.Method, op.Path, op.ID, op.Scope, want.id, want.scope)
		}
		for _, status := range append(requiredStatuses(op), want.success) {
			if !slices.Contains(op.Statuses, status) {
				t.Errorf("%s does not declare %d", op.ID, status)
			}
		}
		if got := c.doc.Paths.Value(op.Path).GetOperation(op.Method).Responses.Len(); got != len(op.Statuses) {
			t.Errorf("%s declares %d responses and %d statuses: ranges and defaults cannot be refereed", op.ID, got,
				len(op.Statuses))
		}
	}
}

// requiredStatuses returns the statuses that an operation must declare (docs/api.md,
// Errors).
func requiredStatuses(op Operation) []int {
	want := []int{400, 401, 403, 429}
	if strings.Contains(op.Path, "{") {
		want = append(want, 404)
	}
	switch op.ID {
	case "getAccount":
		want = append(want, 503)
	case "getCashPosition", "getReceivablesAging":
		want = append(want, 500, 503)
	case "proposeInvoice":
		want = append(want, 409, 413, 415, 422)
	case "getInvoicePdf":
		want = append(want, 422)
	case "createWebhook":
		want = append(want, 409, 413, 415)
	case "updateWebhook":
		want = append(want, 413, 415)
	}
	return want
}

// Every example response in the document conforms, and each status of each operation with a
// JSON body has an example.
func TestExamplesConform(t *testing.T) {
	c := Load(t)
	for _, op := range c.Operations() {
		for _, status := range op.Statuses {
			examples := examplesOf(t, c, op, status)
			for name, body := range examples {
				x := goodExchange(t, c, op, status, body)
				if err := c.check(x); err != nil {
					t.Errorf("%s %d %s: %v", op.ID, status, name, err)
				}
			}
			if len(examples) == 0 {
				t.Errorf("%s has no example for %d", op.ID, status)
			}
		}
	}
	seen := c.Seen()
	for _, op := range c.Operations() {
		for _, status := range op.Statuses {
			if seen[op.ID][status] == 0 {
				t.Errorf("%s %d passed and was not recorded", op.ID, status)
			}
		}
	}
}

// Only closed objects reveal an undeclared field.
func TestAnswersAreClosed(t *testing.T) {
	c := Load(t)
	for name, ref := range c.doc.Components.Schemas {
		s := ref.Value
		if !s.Type.Is("object") {
			continue
		}
		if closed := s.AdditionalProperties.Has; closed == nil || *closed {
			t.Errorf("schema %s lets undeclared fields pass", name)
		}
		for _, field := range s.Required {
			if s.Properties[field] == nil {
				t.Errorf("schema %s requires %s, which it does not have", name, field)
			}
		}
	}
}

// examplesOf returns the example bodies of a status.
func examplesOf(t testing.TB, c *Contract, op Operation, status int) map[string][]byte {
	t.Helper()
	resp := responseOf(c, op, status)
	if resp.Content.Get("application/json") == nil {
		var body []byte
		if len(resp.Content) > 0 {
			body = []byte("%PDF-1.7 and what follows")
		}
		return map[string][]byte{"not JSON": body}
	}
	found := map[string][]byte{}
	for name, example := range resp.Content.Get("application/json").Examples {
		body, err := json.Marshal(example.Value.Value)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = body
	}
	return found
}

func responseOf(c *Contract, op Operation, status int) *openapi3.Response {
	return c.doc.Paths.Value(op.Path).GetOperation(op.Method).Responses.Status(status).Value
}

// goodExchange returns a conforming request and its response.
func goodExchange(t testing.TB, c *Contract, op Operation, status int, body []byte) exchange {
	t.Helper()
	path := op.Path
	for _, name := range []string{"invoiceId", "transactionId", "intentId", "eventId", "webhookId"} {
		path = strings.ReplaceAll(path, "{"+name+"}", "an-id")
	}
	var sent []byte
	declared := c.doc.Paths.Value(op.Path).GetOperation(op.Method)
	if declared.RequestBody != nil {
		for _, example := range declared.RequestBody.Value.Content.Get("application/json").Examples {
			var err error
			if sent, err = json.Marshal(example.Value.Value); err != nil {
				t.Fatal(err)
			}
		}
	}
	req := httptest.NewRequest(op.Method, path, bytes.NewReader(sent))
	if sent != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return exchange{req: req, reqBody: sent, status: status, header: goodHeader(c, op, status), body: body}
}

func goodHeader(c *Contract, op Operation, status int) http.Header {
	h := http.Header{}
	for name := range responseOf(c, op, status).Content {
		h.Set("Content-Type", name)
	}
	for name := range responseOf(c, op, status).Headers {
		h.Set(name, map[string]string{
			"X-Request-Id": "req-1", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"RateLimit-Policy": `"token";q=300;w=60`, "RateLimit": `"token";r=287;t=3`, "Retry-After": strconv.Itoa(3),
			"WWW-Authenticate": `Bearer realm="finance", error="insufficient_scope", scope="account:read"`,
			"Location":         "/api/ext/v1/webhooks/wh_1", "Idempotent-Replayed": "true",
			"Preference-Applied":  "reporting-currency",
			"Content-Disposition": `inline; filename="INV-000042.pdf"`,
		}[name])
	}
	return h
}

func TestInvalidDocumentsAreRefused(t *testing.T) {
	const start = "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths:\n  /p:\n    get:\n      responses:\n       " +
		" '200':\n"
	for name, doc := range map[string]string{
		"not YAML":       "openapi: [",
		"no version":     "openapi: 3.1.0\ninfo: { title: t }\npaths: {}\n",
		"no description": start + "          content: {}\n",
		"example that does not conform": start +
			"          description: d\n          content:\n            application/json:\n" +
			"              schema: { type: integer }\n              example: word\n",
	} {
		if _, err := parse([]byte(doc)); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	if _, err := parse([]byte(start + "          description: d\n")); err != nil {
		t.Errorf("a valid document is refused: %v", err)
	}
}
