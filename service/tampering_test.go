package service_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/httpapi"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// crafted lists path segments that have a meaning in a database, a file system or a terminal.
var crafted = []string{
	"%27%20OR%201%3D1%20--", "%27%3BDROP%20TABLE%20invoices%3B--", "1%20UNION%20SELECT%20secret", "%25", "_", "inv_%25",
	"inv_________________________________",
	"*", "%22", "%5C", "%60", "..", ".", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%5c..%5c", "%00", "inv_%00",
	"%0d%0aSet-Cookie:%20a=b", "%1b%5b31m",
	"%ff", "%c0%ae%c0%ae", "%ed%a0%80", "%E2%80%AE", "%EF%BC%87", "%20", "0", "-1", "null", "undefined", "{invoiceId}",
	"$%7Bjndi:ldap:%2F%2Fa%7D", "1e999999",
	"9223372036854775808", strings.Repeat("a", 10_000), strings.Repeat("%2e%2e%2f", 1000),
}

func TestCraftedIDsFindNothing(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	records := f.sample(a)
	good := map[string]string{}
	for _, op := range httpapi.Operations() {
		if !strings.Contains(op.Path, "{") {
			continue
		}
		before, after, _ := strings.Cut(op.Path, "{")
		_, after, _ = strings.Cut(after, "}")
		own := records.path(op)
		id := strings.TrimSuffix(strings.TrimPrefix(own, before), after)
		variants := slices.Concat(crafted, []string{
			id + "%20", "%20" + id, id + "%00", id + "%0a", strings.ToLower(id), id + "'", id[:len(id)-1] + "%25",
			id[:len(id)-1] + "_", id + "%2f" + id, id + ";" + id,
		})
		for _, segment := range variants {
			path := before + segment + after
			got := f.send(a.secret, op.Method, path, bodies[op.ID][0])
			if got.status != http.StatusNotFound || !strings.Contains(string(got.body), `{"error":"no such `) {
				t.Errorf("%s %.60s: %d %s", op.Method, path, got.status, got.body)
			}
			if got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s %.60s: a header came out of the path", op.Method, path)
			}
		}
		if op.Method == http.MethodGet {
			good[op.ID] = own
		}
	}
	for id, path := range good {
		if got := f.get(a.secret, path); got.status != http.StatusOK {
			t.Errorf("%s afterwards: %d %s", id, got.status, got.body)
		}
	}
}

// Characters that are special in SQL, in LIKE or in a search index match only themselves.
func TestKeywordsAreMatchedAsPlainText(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	keywords := []string{
		"%", "_", "%%", "%a%", "___", "*", "a*", "\"", "\"\"", "\" OR \"", "'", "''", "' OR '1'='1",
		"'; DROP TABLE transactions; --", "\\", "\\%", "a\\_b", "^start",
		"NEAR(a b)", "a NOT b", "a AND b", "-minus", "+plus", "col:umn", "{braces}", "(", ")", "((((", "[a-z]", "?", "?1",
		":name", "@name", "$1", "--", "/*", ";",
		"ǅ", "ﬁ", "ß", "İ", "\u0130\u0307", "e\u0301", "q\u200b\u200dq", "w\u202e", "\U0001F9FE", "\ufffd", "\ufeffv",
		"\u1e9b\u0323",
	}
	rows := []ledger.Transaction{
		{ID: f.id(ids.Transaction), Date: civil.Of(noon), Currency: "USD", Counterparty: "Nothing of it"},
	}
	for _, k := range keywords {
		rows = append(
			rows,
			ledger.Transaction{ID: f.id(ids.Transaction), Date: civil.Of(noon), Currency: "USD", Counterparty: "<" + k + ">"},
		)
	}
	f.write(func(tx *store.Tx) error { return tx.InsertTransactions(a.key, rows) })
	folder := ledger.NewFolder()
	for _, k := range keywords {
		var want []string
		for _, row := range rows {
			if strings.Contains(folder.Fold(row.Counterparty), folder.Fold(k)) {
				want = append(want, row.ID)
			}
		}
		// Twice, because the second response may come from a cache.
		for range 2 {
			var page listedPage
			f.decode(f.get(a.secret, prefix+"/transactions"+query("keyword", k, "limit", "200")), &page)
			var got []string
			for _, row := range page.Data {
				got = append(got, row.ID)
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%q found %d rows, want %d", k, len(got), len(want))
			}
		}
	}
	composed, decomposed := f.get(a.secret, prefix+"/transactions"+query("keyword", "é")), f.get(
		a.secret, prefix+"/transactions"+query("keyword", "e\u0301"),
	)
	if string(composed.body) == "" || len(composed.body) != len(decomposed.body) {
		t.Errorf("composed %s, decomposed %s", composed.body, decomposed.body)
	}
}

func TestNoBitOfACursorCanBeChanged(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.sample(a)
	var page listedPage
	f.decode(f.get(a.secret, prefix+"/transactions?limit=1"), &page)
	sealed, err := base64.RawURLEncoding.DecodeString(page.NextCursor)
	if err != nil || len(sealed) == 0 {
		t.Fatalf("%q: %v", page.NextCursor, err)
	}
	for i := range 8 * len(sealed) {
		changed := slices.Clone(sealed)
		changed[i/8] ^= 1 << (i % 8)
		cursor := base64.RawURLEncoding.EncodeToString(changed)
		f.refused(
			cursor, f.get(a.secret, prefix+"/transactions?limit=1&cursor="+cursor), http.StatusBadRequest,
			"cursor is not valid for this query",
		)
	}
	if got := f.get(a.secret, prefix+"/transactions?limit=1&cursor="+page.NextCursor); got.status != http.StatusOK {
		t.Errorf("the cursor itself: %d", got.status)
	}
}

func TestHeadersCannotBeInjected(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	records := f.sample(a)
	const evil = "x%0d%0aX-Evil:%20yes"
	for _, path := range []string{
		"/ping?" + evil, "/ping?a=" + evil, "/invoices?status=" + evil, "/invoices?limit=" + evil,
		"/transactions?keyword=" + evil, "/transactions?cursor=" + evil,
		"/events?types=" + evil, "/events?starting_after=" + evil, "/invoices/" + evil,
		"/invoices/" + records["invoiceId"] + "%0d%0aX-Evil:%20yes/pdf", "/" + evil,
	} {
		got := f.get(a.secret, prefix+path)
		if got.status < 400 || got.header.Get("X-Evil") != "" || strings.Contains(string(got.body), "X-Evil") {
			t.Errorf("%s: %d %v %s", path, got.status, got.header, got.body)
		}
	}
	got := f.send(
		a.secret, http.MethodGet, prefix+"/invoices/"+records["invoiceId"]+"/pdf", "", "X-Request-Id", "req_mine",
		"X-Forwarded-Host", "evil.example", "X-HTTP-Method-Override", "DELETE",
	)
	if got.status != http.StatusOK || got.header.Get("X-Request-Id") == "req_mine" ||
		got.header.Get("Content-Disposition") != `inline; filename="INV-000001.pdf"` {
		t.Errorf("%d %v", got.status, got.header)
	}
	created := f.send(
		a.secret, http.MethodPost, prefix+"/invoices", strings.Replace(goodProposal, "Advice", `a\r\nX-Evil: yes`, 1),
		"Idempotency-Key", "a: b, \"c\"", "Host", "evil.example",
	)
	if location := created.header.Get("Location"); created.header.Get("X-Evil") != "" ||
		strings.Contains(location, "evil") {
		t.Errorf("%d %v %s", created.status, created.header, created.body)
	}
}
