package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/internal/civil"
)

// ledgerRows is a server whose ledger is a list of rows.
type ledgerRows struct {
	rows     []map[string]any // newest first
	requests int
	before   func(w http.ResponseWriter, r *http.Request) (answered bool) // nil for none
}

// add adds a row in US dollars. A negative number of cents is money out.
func (l *ledgerRows) add(day, name string, cents int64) {
	row := map[string]any{
		"id": "txn_" + strconv.Itoa(len(l.rows)), "date": day, "direction": "inflow", "currency": "USD", "memo": "",
		"amount_cents": max(cents, -cents), "amount_known": true, "amount_usd_cents": max(cents, -cents),
		"usd_known": true, "counterparty_name": name, "has_receipt": false, "source": "linked_bank",
		"source_label": "Linked bank",
	}
	if cents < 0 {
		row["direction"] = "outflow"
	}
	l.rows = append(l.rows, row)
	slices.SortStableFunc(l.rows, func(a, b map[string]any) int {
		return strings.Compare(fmt.Sprint(b["date"]), fmt.Sprint(a["date"]))
	})
}

// ServeHTTP answers requests for transactions, at most 200 per page.
func (l *ledgerRows) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.requests++
	if l.before != nil && l.before(w, r) {
		return
	}
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	at, _ := strconv.Atoi(q.Get("cursor"))
	data, next := []map[string]any{}, ""
	var count, in, out int64
	for _, row := range l.rows {
		day := fmt.Sprint(row["date"])
		memo := fmt.Sprint(row["memo"])
		if q.Get("from") != "" && day < q.Get("from") || q.Get("to") != "" && day > q.Get("to") ||
			!strings.Contains(memo, q.Get("keyword")) {
			continue
		}
		switch count++; {
		case count <= int64(at):
		case len(data) < limit:
			data = append(data, row)
		default:
			next = strconv.Itoa(at + limit)
		}
		sum := &in
		if row["direction"] == "outflow" {
			sum = &out
		}
		if *sum += row["amount_usd_cents"].(int64); *sum < 0 {
			*sum = math.MaxInt64
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(mustEncode(map[string]any{ // the client may have disconnected
		"data": data, "next_cursor": next, "summary": map[string]any{
			"count": count, "inflow_usd_cents": in, "outflow_usd_cents": out, "net_usd_cents": in - out,
			"unconverted_count": 0,
		},
	}))
}

// run runs a command on the server, on the afternoon of 22 November 2026.
func (l *ledgerRows) run(t *testing.T, args ...string) result {
	t.Helper()
	server := httptest.NewServer(l)
	defer server.Close()
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), command.Env{
		Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return env[name] },
		Now: func() time.Time { return time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC) },
	}, args)
	return result{code, stdout.String(), stderr.String()}
}

// monthly adds a payment on the 5th of the months back, which are counted from November 2026.
func (l *ledgerRows) monthly(name string, cents int64, back ...int) {
	for _, n := range back {
		l.add(civil.New(2026, 11, 5).AddMonths(-n).String(), name, cents)
	}
}

func mustEncode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}
