package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"tarmac/cli"
	"tarmac/cli/command"
)

// hostileText is a hostile text that a counterparty might write.
const hostileText = "=HYPERLINK(1)\x1b]52;c;ZXZpbA==\x07\u009b2J\u202egnp.exe\r\n\x7fend"

// ledger starts a server with the given number of transactions, with hostile text and some
// unknown amounts.
func ledger(t *testing.T, rows int) (env map[string]string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "application/json")
		path := strings.TrimPrefix(r.URL.Path, "/api/ext/v1")
		var answer any
		switch path {
		case "/transactions":
			answer = ledgerPage(r, rows)
		case "/transactions/txn_1":
			answer = ledgerRow(1)
		case "/events", "/events/evt_1":
			event := map[string]any{
				"id": "evt_1", "type": "test.event", "version": 1, "occurred_at": "2026-01-02T03:04:05Z",
				"data": map[string]any{"message": hostileText, hostileText: hostileText},
			}
			if answer = event; path == "/events" {
				answer = map[string]any{"data": []any{event}, "next_cursor": ""}
			}
		case "/webhooks":
			answer = []any{map[string]any{"id": "wh_1", "url": "https://example.com/" + hostileText, "status": hostileText,
				"event_types": []string{hostileText}, hostileText: hostileText}}
		default:
			w.WriteHeader(http.StatusNotFound)
			answer = map[string]any{"error": hostileText}
		}
		_, _ = w.Write(mustJSON(t, answer)) // the client may have disconnected
	}))
	t.Cleanup(server.Close)
	return map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}, requests
}

func ledgerRow(n int) map[string]any {
	row := map[string]any{
		"id": "txn_" + strconv.Itoa(n), "date": "2026-01-02", "direction": "outflow", "currency": "EUR", "amount_cents": 0,
		"amount_known":     false,
		"amount_usd_cents": 0, "usd_known": false, "counterparty_name": hostileText, "memo": "-1+cmd", "has_receipt": false,
		"source": "svc", "source_label": "@feed",
	}
	if n%2 == 0 {
		row["amount_cents"], row["amount_known"] = 1250, true
	}
	return row
}

func ledgerPage(r *http.Request, rows int) any {
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	next := ""
	to := min(from+limit, rows)
	if to < rows {
		next = strconv.Itoa(to)
	}
	data := []any{}
	for n := from; n < to; n++ {
		data = append(data, ledgerRow(n+1))
	}
	return map[string]any{"data": data, "next_cursor": next, "summary": map[string]any{
		"count": rows, "inflow_usd_cents": 0, "outflow_usd_cents": 0, "net_usd_cents": 0, "unconverted_count": rows,
	}}
}

// No output format writes terminal control characters to standard output or standard error.
func TestNoControlCharacterIsEverWritten(t *testing.T) {
	env, _ := ledger(t, 3)
	for _, command := range []string{
		"transactions", "transactions --csv", "transactions --json", "transactions --all", "transactions get txn_1",
		"transactions get txn_1 --json",
		"events", "events --csv", "events --json", "events get evt_1", "events get evt_1 --json", "webhooks",
		"webhooks --csv", "webhooks --json",
		"invoices get inv_1", "overview", "overview --json", "ping",
	} {
		r := tarmac(t, env, strings.Fields(command)...)
		if strings.HasPrefix(command, "events") && !strings.Contains(r.stdout, "end") {
			t.Errorf("tarmac %s: exit %d, %q", command, r.code, r.stdout)
		}
		for _, c := range strings.ReplaceAll(strings.ReplaceAll(r.stdout, "\r\n", ""), "\n", "") +
			strings.ReplaceAll(r.stderr, "\n", "") {
			if unicode.Is(unicode.C, c) {
				t.Errorf("tarmac %s wrote %U in %q", command, c, r.stdout+r.stderr)
				break
			}
		}
	}
}

// --json prints an event's data unchanged.
func TestEscapesKeepAnEventsData(t *testing.T) {
	env, _ := ledger(t, 0)
	r := tarmac(t, env, "events", "get", "evt_1", "--json")
	got := decoded(t, r.stdout).(map[string]any)["data"].(map[string]any)
	if got["message"] != hostileText || got[hostileText] != hostileText {
		t.Errorf("%q", got)
	}
}

func TestUnknownAmountsAreNeverZero(t *testing.T) {
	env, _ := ledger(t, 2)
	data := decoded(t, tarmac(t, env, "transactions", "--json").stdout).(map[string]any)["data"].([]any)
	unknown, known := data[0].(map[string]any), data[1].(map[string]any)
	if unknown["amount_cents"] != nil || unknown["amount_known"] != false || unknown["amount_usd_cents"] != nil ||
		known["amount_cents"] != 1250.0 {
		t.Errorf("%v", data)
	}
	rows, err := csv.NewReader(strings.NewReader(tarmac(t, env, "transactions", "--csv").stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cells := func(row []string) map[string]string {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		return m
	}
	first, second := cells(rows[1]), cells(rows[2])
	if first["amount_cents"] != "—" || first["amount_known"] != "false" || first["amount_usd_cents"] != "—" ||
		second["amount_cents"] != "1250" {
		t.Errorf("%v, %v", first, second)
	}
	if !strings.HasPrefix(first["counterparty_name"], "'=HYPERLINK") || first["memo"] != "'-1+cmd" ||
		first["source_label"] != "'@feed" {
		t.Errorf("formulas: %v", first)
	}
	table := tarmac(t, env, "transactions").stdout
	if !strings.Contains(table, "  —  ") || !strings.Contains(table, "-€12.50") ||
		strings.Contains(table, "0.00") {
		t.Errorf("the table:\n%s", table)
	}
}

// firstRow is a standard output that records how many requests preceded the first rows.
type firstRow struct {
	requests *atomic.Int64
	at       int64
	rows     int
}

func (f *firstRow) Write(b []byte) (int, error) {
	if f.at == 0 {
		f.at = f.requests.Load()
	}
	f.rows += strings.Count(string(b), "txn_")
	return len(b), nil
}

func TestLongListsAreWrittenAsTheyArrive(t *testing.T) {
	t.Parallel()
	const rows = 5000
	for _, form := range []string{"--json", "--csv", ""} {
		env, requests := ledger(t, rows)
		out := &firstRow{requests: requests}
		args := []string{"transactions", "--all"}
		if form != "" {
			args = append(args, form)
		}
		code := cli.Run(t.Context(), command.Env{Stdout: out, Stderr: &strings.Builder{},
			Getenv: func(name string) string { return env[name] }, Now: time.Now}, args)
		if code != 0 || out.rows != rows || out.at > 2 || requests.Load() != rows/200 {
			t.Errorf("%s: exit %d, %d rows, the first after %d of %d requests", form, code, out.rows, out.at, requests.Load())
		}
	}
}

// JSON of an incomplete list is invalid.
func TestAListThatBreaksOffIsNoJSON(t *testing.T) {
	served := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served++; served > 1 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(ledgerPage(r, 500))
	}))
	t.Cleanup(server.Close)
	r := tarmac(t, map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}, "transactions", "--all",
		"--json")
	if r.code != 3 || !strings.Contains(r.stdout, "txn_200") || json.Valid([]byte(r.stdout)) {
		t.Errorf("exit %d, %d bytes, %q", r.code, len(r.stdout), r.stderr)
	}
	if !strings.HasSuffix(r.stderr, "; what is written is not the whole list: 200 of 500 transactions\n") {
		t.Errorf("it says %q", r.stderr)
	}
	// All rows read are written before the error, including those of an incomplete batch.
	for _, form := range []string{"--csv", ""} {
		served = 0
		r := tarmac(t, map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"},
			strings.Fields("transactions --limit 450 "+form)...)
		if r.code != 3 || strings.Count(r.stdout, "txn_") != 200 {
			t.Errorf("%s: exit %d, %d rows, %q", form, r.code, strings.Count(r.stdout, "txn_"), r.stderr)
		}
	}
}

// A long list waits when the server limits the rate.
func TestALongListWaitsWhereTheServerAsksForIt(t *testing.T) {
	t.Parallel()
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if tries++; r.URL.Query().Get("cursor") != "" && tries == 2 {
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"error":"too many requests"}`)
			return
		}
		_ = json.NewEncoder(w).Encode(ledgerPage(r, 300))
	}))
	t.Cleanup(server.Close)
	// The pause exceeds the call's timeout, so the client itself does not wait.
	r := tarmac(t, map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}, "transactions", "--all",
		"--csv", "--timeout", "2s")
	if r.code != 0 || strings.Count(r.stdout, "txn_") != 300 || tries != 3 {
		t.Errorf("exit %d, %d rows in %d requests, %q", r.code, strings.Count(r.stdout, "txn_"), tries, r.stderr)
	}
}
