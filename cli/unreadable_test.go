package cli_test

import (
	"context"
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
)

const (
	goodInvoice = `{"id":"inv_1","number":"INV-1","status":"sent","currency":"USD","description":"",` +
		`"recipient_name":"Acme","recipient_email":"a@b.c","subtotal_cents":1,"tax_cents":0,"total_cents":1,` +
		`"created_at":"2026-11-01T00:00:00Z","updated_at":"2026-11-01T00:00:00Z"}`
	goodRow = `{"id":"txn_1","amount_cents":1,"amount_known":true,"amount_usd_cents":1,"usd_known":true,` +
		`"currency":"USD","direction":"inflow","date":"2026-11-20","counterparty_name":"Acme","has_receipt":false,` +
		`"source":"svc","source_label":"Service"}`
	goodEvent   = `{"id":"evt_1","type":"test.event","version":1,"occurred_at":"2026-11-20T12:00:00Z","data":{}}`
	goodSummary = `"summary":{"count":3,"inflow_usd_cents":3,"outflow_usd_cents":0,"net_usd_cents":3,` +
		`"unconverted_count":0}`
)

// unreadableServer starts a server whose every list contains one unreadable record.
func unreadableServer(t *testing.T) map[string]string {
	answers := map[string]string{
		"/invoices":              `[{"id":"inv_2"},` + goodInvoice + `]`,
		"/events":                `{"data":[{"id":"evt_2"},` + goodEvent + `,7],"next_cursor":""}`,
		"/webhooks":              `[{"id":"wh_1","status":"active","url":"https://example.com/"},{"id":"wh_2"}]`,
		"/webhooks/x/deliveries": `[{"id":"whd_1","status":"pending"},{"id":"whd_2"}]`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		path := strings.TrimPrefix(r.URL.Path, "/api/ext/v1")
		body, ok := answers[path]
		if path == "/transactions" {
			body, ok = `{"data":[`+goodRow+`,{"id":"txn_2"}],"next_cursor":"c1",`+goodSummary+`}`, true
			if r.URL.Query().Get("cursor") != "" {
				body = `{"data":[{"id":"txn_3"}],"next_cursor":"",` + goodSummary + `}`
			}
		}
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			body = `{"error":"no"}`
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
}

// An unreadable record does not affect others and is always reported.
func TestAListWithoutSomeRecordsSaysSoAndEndsWithFive(t *testing.T) {
	env := unreadableServer(t)
	for command, says := range map[string]string{
		"invoices list":         "1 invoice could not be read and is not listed: field currency is missing",
		"transactions --all":    "2 transactions could not be read and are not listed; the first: field date is missing",
		"events --all":          "2 events could not be read and are not listed; the first: field type is missing",
		"webhooks list":         "1 endpoint could not be read and is not listed",
		"webhooks deliveries x": "1 delivery could not be read and is not listed",
		"overview":              "1 transaction could not be read and is not listed",
	} {
		forms := []string{"", "--json", "--csv"}
		if command == "overview" {
			forms = forms[:2]
		}
		for _, form := range forms {
			r := tarmac(t, env, strings.Fields(command+" "+form)...)

			if r.code != 5 || strings.Count(r.stderr, says) != 1 {
				t.Errorf("tarmac %s %s: exit %d, %q; want %q", command, form, r.code, r.stderr, says)
			}
			records := strings.Contains(r.stdout, "inv_1") || strings.Contains(r.stdout, "txn_1") ||
				strings.Contains(r.stdout, "evt_1") ||
				strings.Contains(r.stdout, "wh_1") || strings.Contains(r.stdout, "whd_1")
			if !records || strings.Contains(r.stdout, "_2") {
				t.Errorf("tarmac %s %s lists:\n%s", command, form, r.stdout)
			}
			switch form {
			case "--json":
				decoded(t, r.stdout)
			case "--csv":
				if rows, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll(); err != nil || len(rows) != 2 {
					t.Errorf("tarmac %s: %d rows, %v", command, len(rows), err)
				}
			}
		}
	}
}

// tail continues after an unreadable event and reports it once.
func TestTailGoesOnBehindAnEventThatCannotBeRead(t *testing.T) {
	env := unreadableServer(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stdout, stderr := &lines{t: t, all: make(chan string, 100)}, &lines{t: t, all: make(chan string, 100)}
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, command.Env{
			Stdout: stdout, Stderr: stderr, Getenv: func(name string) string { return env[name] }, Now: time.Now,
		}, []string{"events", "tail", "--json", "--interval", "1s"})
	}()

	if got := decoded(t, stdout.next()).(map[string]any)["id"]; got != "evt_1" {
		t.Errorf("it printed %v", got)
	}
	told := stderr.next() + stderr.next() + stderr.next()
	if !strings.Contains(told, "the event evt_2 could not be read") ||
		!strings.Contains(told, "an event without an id could not be read") {
		t.Errorf("told %q", told)
	}
	stop()
	if code := <-ended; code != 0 || len(stdout.all) > 0 {
		t.Errorf("exit %d, %d lines more", code, len(stdout.all))
	}
}
