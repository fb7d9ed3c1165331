package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/access"
	"tarmac/service/events"
)

// Any Authorization header yields one credential without a leading blank, or an error that
// does not repeat it.
func FuzzAuthorization(f *testing.F) {
	for _, seed := range []string{
		"", "Bearer", "Bearer ", "Bearer  a", "bearer\ta", "BEARER svc_org_a", " Bearer a ", "Basic YTpi", "Bearer a b",
		"Bearera", "Bearer \x00", "Bearer \u00a0a",
		"Bearer svc_org_" + strings.Repeat("0", 36), "Bearer svc_ops_x", strings.Repeat("Bearer ", 1000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		secret, err := bearer(http.Header{"Authorization": {value}})
		if err != nil {
			if p := problemOf(err); p.status != http.StatusUnauthorized || p.text != "missing API token" {
				t.Errorf("%q: %d %s", value, p.status, p.text)
			}
			return
		}
		scheme, _, _ := strings.Cut(strings.TrimSpace(value), " ")
		if !strings.EqualFold(scheme, "bearer") || secret == "" || strings.HasPrefix(secret, " ") ||
			!strings.HasSuffix(strings.TrimSpace(value), secret) {
			t.Errorf("%q is read as %q", value, secret)
		}
		if access.IsWellFormed(secret) &&
			(access.ClassOf(secret) != access.OrganizationClass || !access.ContainsSecret(secret) || access.IsQuotable(secret)) {
			t.Errorf("%q may be a token and is not treated as one", secret)
		}
	})
}

// A key is returned unchanged, or refused with an error of one printable line.
func FuzzIdempotencyKey(f *testing.F) {
	for _, seed := range []string{
		"", "a", " ", "a b", "\t", "\x00", "\x7f", "é", "\xff", strings.Repeat("k", 255), strings.Repeat("k", 256),
		"'; DROP TABLE invoices; --",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, err := idempotencyKey(http.Header{"Idempotency-Key": {value}})
		if err != nil {
			refusal(t, err)
			return
		}
		if key != value || len(key) < 1 || len(key) > maxIdempotencyKey ||
			strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is taken as %q", value, key)
		}
	})
}

// A list of types yields known types, each once, or an error.
func FuzzEventTypes(f *testing.F) {
	for _, seed := range []string{
		"", ",", "invoice.paid", "invoice.paid,payment.failed", " invoice.paid , invoice.paid ", "INVOICE.PAID",
		"invoice.paid\x00", "test.event", "*", "invoice.*", "svc_org_a",
		strings.Repeat("invoice.paid,", 1000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		types, err := eventTypes(url.Values{"types": {list}})
		if err != nil {
			refusal(t, err)
			return
		}
		for i, kind := range types {
			if again, ok := events.ParseType(string(kind)); !ok || again != kind || slices.Contains(types[:i], kind) ||
				!strings.Contains(list, string(kind)) {
				t.Errorf("%q: %q", list, types)
			}
		}
		if len(types) == 0 {
			t.Errorf("%q is no list of types and was taken for one", list)
		}
	})
}

// A date is a calendar day that formats to the same text, or an error.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{
		"", "2026-01-31", "2026-02-29", "2024-02-29", "0000-01-01", "9999-12-31", "10000-01-01", "-001-01-01", "2026-1-1",
		"2026-01-01 ", "２０２６-01-01", "2026-01-01T00:00:00Z",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := date(url.Values{"from": {text}}, "from")
		if err != nil {
			refusal(t, err)
			return
		}
		if d.IsZero() || d.String() != text || civil.Of(d.Time()) != d {
			t.Errorf("%q is read as %s", text, d)
		}
	})
}

// A path matches one route or none, and the route's variable is a whole segment.
func FuzzRoute(f *testing.F) {
	for _, seed := range []string{
		"/", "//", "*", "/healthz", Prefix + "/ping", Prefix + "/invoices/inv_1", Prefix + "/invoices/inv_1/pdf",
		Prefix + "/invoices//pdf", Prefix + "/invoices/a%2Fpdf",
		Prefix + "/invoices/%00", Prefix + "/invoices/..", Prefix + "/../healthz", Prefix + "/invoices/%2e%2e/pdf",
		Prefix + "/webhooks/{webhookId}", Prefix + "/webhooks/a;b/verify",
		"/API/EXT/V1/ping", "/api%2Fext/v1/ping", Prefix + "/%70ing",
	} {
		f.Add(http.MethodGet, seed)
		f.Add(http.MethodPost, seed)
	}
	api := New(Config{})
	f.Fuzz(func(t *testing.T, method, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return
		}
		found, pathParam, problem := api.findRoute(&http.Request{Method: method, URL: u})
		if problem != nil {
			if problem.status != http.StatusNotFound && problem.status != http.StatusMethodNotAllowed {
				t.Errorf("%s %q: %d %s", method, target, problem.status, problem.text)
			}
			return
		}
		if found.method != method && (method != http.MethodHead || found.method != http.MethodGet) {
			t.Errorf("%s %q is answered as %s", method, target, found.method)
		}
		want := u.Path
		before, after, varied := strings.Cut(found.pattern, "{")
		if varied {
			_, after, _ = strings.Cut(after, "}")
			if pathParam == "" || want != before+pathParam+after {
				t.Errorf("%q is %s with %q", target, found.pattern, pathParam)
			}
		} else if pathParam != "" || want != found.pattern {
			t.Errorf("%q is %s with %q", target, found.pattern, pathParam)
		}
	})
}
