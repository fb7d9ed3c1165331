package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/service/access"
)

func TestInvalidParametersAreNamedInABadRequest(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	records, others := f.sample(a), f.sample(b)
	var page struct {
		NextCursor string `json:"next_cursor"`
	}
	f.decode(f.get(a.secret, prefix+"/transactions?limit=1"), &page)
	cursor := page.NextCursor
	f.decode(f.get(b.secret, prefix+"/transactions?limit=1"), &page)
	const (
		limit200 = "limit must be an integer from 1 to 200"
		limit100 = "limit must be an integer from 1 to 100"
		cursors  = "cursor is not valid for this query"
		from     = "from must be a calendar date in the form YYYY-MM-DD"
		keywords = "keyword must have 1 to 200 characters"
		controls = "keyword must not contain control characters"
		after    = "starting_after is not a known event id"
	)
	for query, want := range map[string]string{
		"/ping?form=1":                             `unknown query parameter "form"`,
		"/account?a=1&b=2":                         `unknown query parameter "a"`,
		"/receivables/aging?Limit=1":               `unknown query parameter "Limit"`,
		"/invoices/" + records["invoiceId"] + "?x": `unknown query parameter "x"`,
		"/ping?%zz":                                "the query string is not well formed",
		"/ping?a;b":                                "the query string is not well formed",
		"/ping?" + strings.Repeat("n", 60):         `unknown query parameter "` + strings.Repeat("n", 60) + `"`,
		"/ping?" + strings.Repeat("n", 65):         "unknown query parameter",
		"/ping?%0A":                                "unknown query parameter",
		"/ping?%3Cscript%3E=1":                     "unknown query parameter",
		"/ping?line_items[0].price=1":              `unknown query parameter "line_items[0].price"`,
		"/ping?" + a.secret:                        "unknown query parameter",
		"/ping?x" + strings.ToUpper(a.secret[:12]): "unknown query parameter",
		"/events?types=" + a.secret:                "unknown event type",
		"/events?types=svc_whsec_x":                "unknown event type",
		"/events?types=invoice.paid," + a.secret:   "unknown event type",
		"/invoices?limit=0":                        limit200, "/invoices?limit=201": limit200, "/invoices?limit=": limit200,
		"/invoices?limit":    limit200,
		"/invoices?limit=-1": limit200, "/invoices?limit=%2B5": limit200, "/invoices?limit=1.0": limit200,
		"/invoices?limit=07":  limit200,
		"/invoices?limit=1e2": limit200, "/invoices?limit=99999999999999999999": limit200, "/invoices?limit=%D9%A1": limit200,
		"/invoices?limit=5%20":         limit200,
		"/invoices?limit=1&limit=2":    "limit was given more than once",
		"/invoices?limit=1&limit=1":    "limit was given more than once",
		"/invoices?status=":            "status must be one of draft, sent, paid, overdue, voided",
		"/invoices?status=Paid":        "status must be one of draft, sent, paid, overdue, voided",
		"/invoices?status=paid,sent":   "status must be one of draft, sent, paid, overdue, voided",
		"/transactions?limit=201":      limit200,
		"/transactions?direction=":     "direction must be inflow or outflow",
		"/transactions?direction=both": "direction must be inflow or outflow",
		"/transactions?from=":          from, "/transactions?from=2026-02-30": from, "/transactions?from=2026-2-03": from,
		"/transactions?from=20260203":                 from,
		"/transactions?from=2026-02-03T00:00:00Z":     from,
		"/transactions?to=0000-01-01":                 "to must be a calendar date in the form YYYY-MM-DD",
		"/transactions?from=2026-02-02&to=2026-02-01": "from must not be after to",
		"/transactions?keyword=":                      keywords, "/transactions?keyword=%20%09": keywords,
		"/transactions?keyword=" + strings.Repeat("k", 201):             keywords,
		"/transactions?keyword=%E2%80%8D":                               "keyword must have a character that can be seen",
		"/transactions?keyword=a%00b":                                   controls,
		"/transactions?keyword=a%1Fb":                                   controls,
		"/transactions?keyword=a%ffb":                                   "keyword must be UTF-8 text",
		"/transactions?cursor=":                                         cursors,
		"/transactions?cursor=abc":                                      cursors,
		"/transactions?cursor=" + cursor[:len(cursor)-1] + "!":          cursors,
		"/transactions?cursor=" + cursor[1:]:                            cursors,
		"/transactions?cursor=" + cursor + "%0A":                        cursors,
		"/transactions?direction=outflow&cursor=" + cursor:              cursors,
		"/transactions?keyword=a&cursor=" + cursor:                      cursors,
		"/transactions?to=2030-01-01&cursor=" + cursor:                  cursors,
		"/transactions?cursor=" + page.NextCursor:                       cursors, // of the other organization
		"/events?limit=101":                                             limit100,
		"/events?types=":                                                `unknown event type ""`,
		"/events?types=invoice.paid,":                                   `unknown event type ""`,
		"/events?types=invoice.refunded":                                `unknown event type "invoice.refunded"`,
		"/events?types=invoice.paid%09":                                 "unknown event type",
		"/events?types=invoice.paid&types=invoice.sent":                 "types was given more than once",
		"/events?starting_after=":                                       after,
		"/events?starting_after=evt_none":                               after,
		"/events?starting_after=" + others["eventId"]:                   after,
		"/events?starting_after=" + strings.ToLower(records["eventId"]): after,
	} {
		f.refused(query, f.get(a.secret, prefix+query), http.StatusBadRequest, want)
	}
	if a := f.get(a.secret, prefix+"/transactions?limit=200&cursor="+cursor); a.status != http.StatusOK {
		t.Errorf("the next page in another size: %d %s", a.status, a.body)
	}
}

func TestCredentialsThatAreNotAcceptedGet401Or403(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	revoked, expired := f.tenant("revoked"), f.tenant("expired")
	ctx := t.Context()
	if err := f.service.RevokeToken(ctx, revoked.token.PublicID); err != nil {
		t.Fatal(err)
	}
	late, _, err := f.service.CreateToken(ctx, expired.id, access.Scopes[:], time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.get(late, prefix+"/ping"); got.status != http.StatusOK {
		t.Fatalf("before its expiry: %d", got.status)
	}
	f.clock.advance(time.Minute)
	unknown, err := access.NewSecret(entropy{})
	if err != nil {
		t.Fatal(err)
	}
	const none, bad = `Bearer realm="finance"`, `Bearer realm="finance", error="invalid_token"`
	for what, c := range map[string]struct {
		authorization []string
		text          string
		challenge     string
	}{
		"nothing":             {nil, "missing API token", none},
		"an empty header":     {[]string{""}, "missing API token", none},
		"another scheme":      {[]string{"Basic " + a.secret}, "missing API token", none},
		"the scheme alone":    {[]string{"Bearer"}, "missing API token", none},
		"a bare token":        {[]string{a.secret}, "missing API token", none},
		"two headers":         {[]string{"Bearer " + a.secret, "Bearer " + a.secret}, "invalid API token", bad},
		"two tokens":          {[]string{"Bearer " + a.secret + " " + a.secret}, "invalid API token", bad},
		"a token cut short":   {[]string{"Bearer " + a.secret[:43]}, "invalid API token", bad},
		"a token in capitals": {[]string{"Bearer " + strings.ToUpper(a.secret)}, "invalid API token", bad},
		"an unknown token":    {[]string{"Bearer " + unknown}, "invalid API token", bad},
		"a revoked token":     {[]string{"Bearer " + revoked.secret}, "invalid API token", bad},
		"an expired token":    {[]string{"Bearer " + late}, "invalid API token", bad},
		"a webhook secret":    {[]string{"Bearer svc_whsec_" + a.secret[8:]}, "invalid API token", bad},
	} {
		got := f.do(http.MethodGet, prefix+"/ping", http.Header{"Authorization": c.authorization})
		f.refused(what, got, http.StatusUnauthorized, c.text)
		if h := got.header.Get("WWW-Authenticate"); h != c.challenge {
			t.Errorf("%s: WWW-Authenticate %s", what, h)
		}
		if got.header.Get("RateLimit") != "" {
			t.Errorf("%s: a rate is told to nobody in particular", what)
		}
	}
	for _, good := range []string{"Bearer ", "bearer ", "BEARER   "} {
		got := f.do(http.MethodGet, prefix+"/ping", http.Header{"Authorization": {good + a.secret}})
		if got.status != http.StatusOK {
			t.Errorf("%q: %d", good, got.status)
		}
	}
	f.refused(
		"a token in the query", f.get("", prefix+"/ping?access_token="+a.secret), http.StatusUnauthorized,
		"missing API token",
	)
	f.refused(
		"an operator", f.get("svc_ops_x", prefix+"/ping"), http.StatusForbidden,
		"this credential class may not use the external API",
	)
	if logs := f.logs.String(); strings.Contains(logs, "svc_o") || strings.Contains(logs, a.secret[8:]) {
		t.Error("a credential is in the log")
	}
}

// entropy always returns the same bytes, for a well-formed but unknown token.
type entropy struct{}

func (entropy) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}

// The order is token, scope, parameters, record.
func TestChecksRunInTheDocumentedOrder(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b", access.EventFeedRead)
	records := f.sample(a)
	path := prefix + "/invoices/" + records["invoiceId"]
	f.refused("no token, bad query", f.get("", prefix+"/invoices?limit=x"), 401, "missing API token")
	f.refused(
		"no scope, bad query", f.get(b.secret, prefix+"/invoices?limit=x"), 403,
		"token lacks the required scope invoices:read",
	)
	f.refused("no scope, other organization", f.get(b.secret, path), 403, "token lacks the required scope invoices:read")
	f.refused("bad query, no record", f.get(a.secret, prefix+"/invoices/none?x=1"), 400, `unknown query parameter "x"`)
	got := f.get(b.secret, path)
	challenge := `Bearer realm="finance", error="insufficient_scope", scope="invoices:read"`
	if h := got.header.Get("WWW-Authenticate"); h != challenge {
		t.Errorf("WWW-Authenticate %s", h)
	}
}

func TestUnknownRoutesAndMethodsGet404And405AsJSON(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for _, path := range []string{
		"/", "/x", "/api/ext/v1", prefix + "/", prefix + "/nothing", prefix + "/invoices/", prefix + "/invoices/a/",
		prefix + "/invoices/a/b",
		prefix + "//ping", prefix + "/./ping", prefix + "/x/../ping", prefix + "/webhooks/a/secret", "/API/ext/v1/ping",
		"/api/ext/v2/ping", prefix + "/ping/",
	} {
		f.refused(path, f.plain(path), http.StatusNotFound, "no such route")
	}
	f.refused("an encoded slash", f.get(a.secret, prefix+"/invoices/a%2Fb"), http.StatusNotFound, "no such invoice")
	for _, method := range []string{
		http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions, "PROPFIND",
	} {
		got := f.do(method, prefix+"/ping", nil)
		f.refused(method, got, http.StatusMethodNotAllowed, "method not allowed")
		if allow := got.header.Get("Allow"); allow != "GET, HEAD" {
			t.Errorf("%s: Allow %q", method, allow)
		}
	}
	for path, contentType := range map[string]string{
		"/openapi.yaml": "application/yaml", "/healthz": "application/json", "/readyz": "application/json",
	} {
		got := f.plain(path)
		if got.status != http.StatusOK || got.header.Get("Content-Type") != contentType || len(got.body) == 0 {
			t.Errorf("%s: %d %s %q", path, got.status, got.header.Get("Content-Type"), got.body)
		}
	}
}

func TestHeadIsAnsweredLikeGetWithoutTheBody(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.client = f.server.Client() // the contract declares no HEAD
	got := f.do(http.MethodHead, prefix+"/ping", http.Header{"Authorization": {"Bearer " + a.secret}})
	if got.status != http.StatusOK || len(got.body) != 0 || got.header.Get("Content-Length") == "" {
		t.Errorf("HEAD: %d %q %v", got.status, got.body, got.header)
	}
}

func TestEveryResponseHasTheDocumentedHeaders(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	ids := map[string]bool{}
	for _, got := range []answer{
		f.get(a.secret, prefix+"/ping"), f.get("", prefix+"/ping"), f.get(a.secret, prefix+"/nothing"),
		f.get(a.secret, prefix+"/invoices?x"), f.do(http.MethodPost, prefix+"/ping", nil),
	} {
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Content-Type-Options") != "nosniff" ||
			got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%d: %v", got.status, got.header)
		}
		ids[got.header.Get("X-Request-Id")] = true
	}
	if len(ids) != 5 || ids[""] {
		t.Errorf("request ids: %v", ids)
	}
}
