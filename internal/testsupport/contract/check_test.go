package contract

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func operation(t testing.TB, c *Contract, id string) Operation {
	t.Helper()
	for _, op := range c.Operations() {
		if op.ID == id {
			return op
		}
	}
	t.Fatalf("no operation %s", id)
	return Operation{}
}

// example returns the named example of an operation's successful response.
func example(t testing.TB, c *Contract, id, name string) exchange {
	t.Helper()
	op := operation(t, c, id)
	body, ok := examplesOf(t, c, op, op.Statuses[0])[name]
	if !ok {
		t.Fatalf("%s has no example %s", id, name)
	}
	return goodExchange(t, c, op, op.Statuses[0], body)
}

// Each case changes one thing in a conforming response.
func TestWrongBodiesAreCaught(t *testing.T) {
	tests := []struct{ name, id, example, old, new string }{
		{"null for an array", "listInvoices", "none", `[]`, `null`},
		{"null for an array in an object", "listTransactions", "nothing", `"data":[]`, `"data":null`},
		{
			"null customers",
			"getReceivablesAging",
			"nothingOpen",
			`"top_overdue_customers":[]`,
			`"top_overdue_customers":null`,
		},
		{"nullable field missing", "getAccount", "notOpen", `,"synced_at":null`, ``},
		{"nullable field missing in a list", "listInvoices", "invoices", `"paid_at":null,`, ``},
		{"null where optional means absent", "getTransaction", "known", `"memo":"November usage"`, `"memo":null`},
		{"null for next_cursor", "listEvents", "nothing", `"next_cursor":""`, `"next_cursor":null`},
		{"extra field", "ping", "ping", `{"org_id"`, `{"extra":1,"org_id"`},
		{"extra field in the summary", "listTransactions", "page", `"count":412`, `"count":412,"average":1`},
		{"extra field in event data", "getEvent", "paymentHeld", `"currency":"USD"`, `"currency":"USD","rail":"wire"`},
		{"fraction for cents", "getInvoice", "invoice", `"tax_cents":0`, `"tax_cents":0.5`},
		{"cents written as a float", "getInvoice", "invoice", `"tax_cents":0`, `"tax_cents":0.0`},
		{"cents with an exponent", "getInvoice", "invoice", `"tax_cents":0`, `"tax_cents":1e3`},
		{"cents in a string", "getInvoice", "invoice", `"tax_cents":0`, `"tax_cents":"0"`},
		{"cents beyond int64", "getInvoice", "invoice", `"tax_cents":0`, `"tax_cents":92233720368547758080`},
		{"date for a date-time", "getInvoice", "invoice", `"2026-12-31T00:00:00Z"`, `"2026-12-31"`},
		{"date for a plain date-time", "getEvent", "test", `"2026-11-20T10:00:00Z"`, `"2026-11-20"`},
		{"not in UTC", "getInvoice", "invoice", `"2026-12-31T00:00:00Z"`, `"2026-12-31T00:00:00+01:00"`},
		{"no such time", "getInvoice", "invoice", `"2026-12-31T00:00:00Z"`, `"2026-12-31T25:00:00Z"`},
		{"no such day", "getTransaction", "known", `"2026-11-19"`, `"2026-02-30"`},
		{"date-time for a date", "getTransaction", "known", `"2026-11-19"`, `"2026-11-19T00:00:00Z"`},
		{"unknown status", "getInvoice", "invoice", `"status":"sent"`, `"status":"open"`},
		{"id too long", "ping", "ping", `"org_id":"org`, `"org_id":"` + strings.Repeat("x", 64)},
		{"balance of no account", "getAccount", "open", `"status":"open"`, `"status":"not_open"`},
		{"account without balance", "getAccount", "notOpen", `"status":"not_open"`, `"status":"open"`},
		{"runway without burn", "getCashPosition", "burning", `"is_burning":true`, `"is_burning":false`},
		{"runway without grounds", "getCashPosition", "burning", `"sufficient":true`, `"sufficient":false`},
		{"burn of nothing", "getCashPosition", "burning", `"monthly_burn_cents":29014200`, `"monthly_burn_cents":0`},
		{"burn while not burning", "getCashPosition", "notBurning", `"monthly_burn_cents":0`, `"monthly_burn_cents":5`},
		{"money of an unknown amount", "getTransaction", "unknownAmount", `"amount_cents":0`, `"amount_cents":5`},
		{"USD of an unknown amount", "getTransaction", "unknownAmount", `"amount_usd_cents":0`, `"amount_usd_cents":5`},
		{"status of another event", "getEvent", "invoicePaid", `"status":"paid"`, `"status":"sent"`},
		{"data of another event", "getEvent", "invoicePaid", `"invoice.paid"`, `"payment.held"`},
		{"delivered and to be retried", "listWebhookDeliveries", "deliveries", `"status":"pending"`, `"status":"delivered"`},
		{"a secret in a record", "getWebhook", "endpoint", `{"`, `{"secret":"svc_whsec_x","`},
		{"key given twice", "ping", "ping", `{"org_id"`, `{"org_id":"org_2","org_id"`},
		{"data after the value", "ping", "ping", `null}`, `null} {}`},
		{"cut off", "ping", "ping", `null}`, `null`},
	}
	c := Load(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := example(t, c, tt.id, tt.example)
			changed := strings.Replace(string(x.body), tt.old, tt.new, 1)
			if changed == string(x.body) {
				t.Fatalf("%s is not in %s", tt.old, x.body)
			}
			x.body = []byte(changed)
			if err := c.check(x); err == nil {
				t.Errorf("not caught: %s", x.body)
			}
		})
	}
	if seen := c.Seen(); len(seen) != 0 {
		t.Errorf("answers that do not conform were counted: %v", seen)
	}
}

func TestWrongAnswersAreCaught(t *testing.T) {
	c := Load(t)
	tests := []struct {
		name   string
		change func(*exchange)
	}{
		{"undeclared status", func(x *exchange) { x.status = http.StatusTeapot }},
		{"redirect", func(x *exchange) { x.status = http.StatusMovedPermanently; x.body = nil }},
		{"not modified", func(x *exchange) { x.status = http.StatusNotModified; x.body = nil }},
		{"success with an error's body", func(x *exchange) { x.body = []byte(`{"error":"no"}`) }},
		{"error without its body", func(x *exchange) { x.status = http.StatusForbidden }},
		{"text for JSON", func(x *exchange) { x.header.Set("Content-Type", "text/plain") }},
		{"no content type", func(x *exchange) { x.header.Del("Content-Type") }},
		{"empty body", func(x *exchange) { x.body = nil }},
		{"no request id", func(x *exchange) { x.header.Del("X-Request-Id") }},
		{"may be cached", func(x *exchange) { x.header.Set("Cache-Control", "max-age=60") }},
		{"may be sniffed", func(x *exchange) { x.header.Del("X-Content-Type-Options") }},
		{"malformed rate", func(x *exchange) { x.header.Set("RateLimit", "287") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := example(t, c, "ping", "ping")
			tt.change(&x)
			if err := c.check(x); err == nil {
				t.Error("not caught")
			}
		})
	}
}

func TestWrongErrorsAreCaught(t *testing.T) {
	c := Load(t)
	op := operation(t, c, "getAccount")
	for _, body := range []string{
		`{"error":{"message":"no"}}`, `{"error":""}`, `{"error":"no","code":7}`, `{"message":"no"}`, `"no"`, `[]`, `null`,
		`no`, ``,
	} {
		for _, status := range []int{400, 401, 403, 429, 503} {
			if err := c.check(goodExchange(t, c, op, status, []byte(body))); err == nil {
				t.Errorf("%d with %q is not caught", status, body)
			}
		}
		foreign := exchange{
			req: httptest.NewRequest("GET", "/api/ext/v1/nothing", nil), status: 404,
			header: http.Header{"Content-Type": {"application/json"}}, body: []byte(body),
		}
		if err := c.check(foreign); err == nil {
			t.Errorf("404 of an unknown route with %q is not caught", body)
		}
	}
	for status, header := range map[int]string{401: "WWW-Authenticate", 403: "WWW-Authenticate", 429: "Retry-After",
		503: "Retry-After"} {
		x := goodExchange(t, c, op, status, []byte(`{"error":"no"}`))
		if err := c.check(x); err != nil {
			t.Fatalf("%d: %v", status, err)
		}
		x.header.Del(header)
		if err := c.check(x); err == nil {
			t.Errorf("%d without %s is not caught", status, header)
		}
	}
	for _, wait := range []string{"0", "-1", "1.5", "soon"} {
		x := goodExchange(t, c, op, 429, []byte(`{"error":"no"}`))
		x.header.Set("Retry-After", wait)
		if err := c.check(x); err == nil {
			t.Errorf("Retry-After %q is not caught", wait)
		}
	}
}

func TestBodyWhereNoneIsDeclared(t *testing.T) {
	c := Load(t)
	x := goodExchange(t, c, operation(t, c, "deleteWebhook"), 204, []byte(`{}`))
	if err := c.check(x); err == nil {
		t.Error("a body with 204 is not caught")
	}
}

func TestRequestsThatMustNotSucceed(t *testing.T) {
	c := Load(t)
	tests := []struct{ name, id, query string }{
		{"unknown parameter", "listTransactions", "form=2026-01-01"},
		{"parameter given twice", "listTransactions", "limit=5&limit=6"},
		{"empty parameter", "listTransactions", "limit="},
		{"query that does not parse", "listTransactions", "limit=5&x=%zz"},
		{"limit too small", "listTransactions", "limit=0"},
		{"limit too large", "listTransactions", "limit=201"},
		{"limit of events", "listEvents", "limit=101"},
		{"limit is a word", "listInvoices", "limit=ten"},
		{"limit is a fraction", "listInvoices", "limit=1.5"},
		{"unknown direction", "listTransactions", "direction=both"},
		{"no such day", "listTransactions", "from=2026-02-30"},
		{"a time for a day", "listTransactions", "to=2026-02-01T00:00:00Z"},
		{"unknown status", "listInvoices", "status=open"},
		{"unknown event type", "listEvents", "types=invoice.paid,invoice.refunded"},
		{"empty item", "listEvents", "types=invoice.paid,,test.event"},
		{"parameter of another operation", "ping", "limit=5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op := operation(t, c, tt.id)
			for _, body := range examplesOf(t, c, op, 200) {
				x := goodExchange(t, c, op, 200, body)
				x.req.URL.RawQuery = tt.query
				if err := c.check(x); err == nil {
					t.Error("200 is not caught")
				}
			}
			x := goodExchange(t, c, op, 400, []byte(`{"error":"no"}`))
			x.req.URL.RawQuery = tt.query
			if err := c.check(x); err != nil {
				t.Errorf("400 is right and was refused: %v", err)
			}
		})
	}
}

func TestRequestsThatMaySucceed(t *testing.T) {
	c := Load(t)
	for id, query := range map[string]string{
		"listTransactions": "direction=inflow&from=2026-01-01&to=2026-12-31&keyword=na%C3%AFve+%25_&limit=200&cursor=abc-_x",
		"listInvoices":     "status=overdue&limit=1",
		"listEvents":       "types=invoice.paid,%20payment.held%20,test.event&limit=100&starting_after=evt_1",
	} {
		op := operation(t, c, id)
		for name, body := range examplesOf(t, c, op, 200) {
			x := goodExchange(t, c, op, 200, body)
			x.req.URL.RawQuery = query
			if err := c.check(x); err != nil {
				t.Errorf("%s %s: %v", id, name, err)
			}
		}
	}
}

func TestProposalsThatMustNotSucceed(t *testing.T) {
	c := Load(t)
	good := example(t, c, "proposeInvoice", "draft")
	for _, tt := range []struct{ old, new string }{
		{`"quantity":"1.5"`, `"quantity":1.5`},
		{`"quantity":"1.5"`, `"quantity":"1e3"`},
		{`"quantity":"1.5"`, `"quantity":"-1"`},
		{`"unit_price_cents":160000`, `"unit_price_cents":0`},
		{`"unit_price_cents":160000`, `"unit_price_cents":1.5`},
		{`"due_date":"2026-12-31"`, `"due_date":"2026-02-30"`},
		{`"due_date":"2026-12-31"`, `"due_date":"2026-12-31T00:00:00Z"`},
		{`"currency":"USD"`, `"currency":"dollars"`},
		{`"notes":""`, `"note":""`},
		{`"recipient_name":"Acme LLC"`, `"recipient_name":""`},
	} {
		x := good
		x.reqBody = bytes.Replace(good.reqBody, []byte(tt.old), []byte(tt.new), 1)
		if bytes.Equal(x.reqBody, good.reqBody) {
			t.Fatalf("%s is not in %s", tt.old, good.reqBody)
		}
		if err := c.check(x); err == nil {
			t.Errorf("201 to %s is not caught", tt.new)
		}
	}
}

func TestForeignRoutes(t *testing.T) {
	c := Load(t)
	tests := []struct {
		name, method, path string
		status             int
		kind, allow, body  string
		good               bool
	}{
		{"unknown route", "GET", "/api/ext/v1/nothing", 404, "application/json", "", `{"error":"no such route"}`, true},
		{
			"unknown method",
			"PUT",
			"/api/ext/v1/ping",
			405,
			"application/json",
			"GET, HEAD",
			`{"error":"method not allowed"}`,
			true,
		},
		{"the contract itself", "GET", "/openapi.yaml", 200, "application/yaml", "", "openapi: 3.1.0", true},
		{"outside", "GET", "/", 404, "application/json", "", `{"error":"no such route"}`, true},
		{"outside, plain", "GET", "/", 404, "text/plain", "", "404 page not found", false},
		{
			"method without Allow",
			"PUT",
			"/api/ext/v1/ping",
			405,
			"application/json",
			"",
			`{"error":"method not allowed"}`,
			false,
		},
		{"undeclared operation", "GET", "/api/ext/v1/nothing", 200, "application/json", "", `{}`, false},
		{"undeclared method", "PUT", "/api/ext/v1/ping", 200, "application/json", "", `{}`, false},
		{"redirect", "GET", "/api/ext/v1/ping/", 301, "text/html", "", "", false},
		{"HEAD", "HEAD", "/api/ext/v1/ping", 200, "application/json", "", "", true},
		{"HEAD with a body", "HEAD", "/api/ext/v1/ping", 200, "application/json", "", "{}", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"Content-Type": {tt.kind}}
			if tt.allow != "" {
				h.Set("Allow", tt.allow)
			}
			err := c.check(exchange{
				req: httptest.NewRequest(tt.method, tt.path, nil), status: tt.status, header: h, body: []byte(tt.body),
			})
			if (err == nil) != tt.good {
				t.Errorf("check says %v, want conforming: %t", err, tt.good)
			}
		})
	}
}
