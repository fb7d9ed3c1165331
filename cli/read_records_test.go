package cli_test

import (
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/service/egress"
)

// sheet parses CSV into rows keyed by column name.
func sheet(t testing.TB, text string) (rows []map[string]string) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%v in %q", err, text)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// CSV of one record is one row, with the names and values of --json.
func TestOneRecordIsOneRow(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	first := func(list string) string {
		page := decoded(t, c.must(list, "--json", "--limit", "1")).(map[string]any)
		return page["data"].([]any)[0].(map[string]any)["id"].(string)
	}
	invoice := decoded(t, c.must("invoices", "--json", "--limit", "1")).([]any)[0].(map[string]any)["id"].(string)
	for _, command := range []string{
		"ping", "account", "cash-position", "invoices get " + invoice, "transactions get " + first("transactions"),
		"events get " + first("events"),
	} {
		args := strings.Fields(command)
		rows := sheet(t, c.must(append(args, "--csv")...))
		if len(rows) != 1 {
			t.Errorf("tarmac %s --csv has %d rows", command, len(rows))
			continue
		}
		for name, value := range decoded(t, c.must(append(args, "--json")...)).(map[string]any) {
			text, isText := value.(string)
			got, listed := rows[0][name]
			isJSONOnly := name == "balance" || name == "extension"
			if isText && name != "as_of" && got != text || !listed && !isJSONOnly {
				t.Errorf("tarmac %s --csv has %s %q for %v", command, name, got, value)
			}
		}
	}
	if row := sheet(t, c.must("account", "--csv"))[0]; row["balance.available_cents"] == "" ||
		row["balance.available_cents"] == "—" {
		t.Errorf("account --csv: %v", row)
	}
	refused(t, c.run("account", "--csv", "--json"), 2, "--json and --csv cannot be combined")
}

// An account without a balance has the same columns, left empty.
func TestABalanceThatThereIsNotHasItsColumns(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"org_id":"org_1","status":"none","balance":null,"synced_at":null}`))
	}))
	t.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	want := "org_id,status,balance.available_cents,balance.available,balance.holding_cents,balance.holding," +
		"balance.locked_cents,balance.locked," +
		"balance.pending_cents,balance.pending,synced_at,currency\r\norg_1,none,—,—,—,—,—,—,—,—,,USD\r\n"
	if r := tarmac(t, env, "account", "--csv"); r.code != 0 || r.stdout != want {
		t.Errorf("%+v", r)
	}
	if r := tarmac(t, env, "account", "--json"); !strings.Contains(r.stdout, `"balance":null`) {
		t.Errorf("%+v", r)
	}
}

func TestAgingHasARowForEachBucket(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	buckets := decoded(t, c.must("aging", "--json")).(map[string]any)["buckets"].(map[string]any)
	rows := sheet(t, c.must("aging", "--csv"))
	if len(rows) != len(buckets) {
		t.Errorf("%d rows for %v", len(rows), buckets)
	}
	for _, row := range rows {
		if want := mustJSON(t, buckets[row["bucket"]+"_cents"]); row["amount_cents"] != string(want) ||
			row["currency"] != "USD" {
			t.Errorf("%v for %s", row, want)
		}
	}
}

// Date flags accept the dashboard's words and mean UTC days.
func TestDaysAreTakenInWords(t *testing.T) {
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query().Get("from") + ".." + r.URL.Query().Get("to")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(mustJSON(t, ledgerPage(r, 0)))
	}))
	t.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	now := time.Date(2026, 11, 20, 23, 30, 0, 0, time.FixedZone("west", -5*60*60)) // the 21st in UTC
	for flags, want := range map[string]string{
		"--from today":                    "2026-11-21..",
		"--to yesterday":                  "..2026-11-20",
		"--from 2026-02 --to 2026-02":     "2026-02-01..2026-02-28",
		"--from last_month --to 2026-q4":  "2026-10-01..2026-12-31",
		"--from 2026-01-31":               "2026-01-31..",
		"--period last_quarter":           "2026-07-01..2026-09-30",
		"--period ytd --direction inflow": "2026-01-01..2026-11-21",
		"--period october":                "2026-10-01..2026-10-31",
		"--period Q3":                     "2026-07-01..2026-09-30",
		"--from dec --to jan":             "2025-12-01..2026-01-31",
		"--from oct":                      "2026-10-01..",
		"--period since_2025":             "2025-01-01..",
		"--period ..2024":                 "..2024-12-31",
		"":                                "..",
	} {
		args := append([]string{"transactions"}, strings.Fields(flags)...)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		var stderr strings.Builder
		code := cli.Run(t.Context(), command.Env{
			Stdout: &strings.Builder{}, Stderr: &stderr, Getenv: func(name string) string { return env[name] },
			Now: func() time.Time { return now },
		}, args)
		if code != 0 || asked != want {
			t.Errorf("%s asks for %s, want %s (exit %d, %s)", flags, asked, want, code, stderr.String())
		}
	}
}

func TestCashPositionSaysWhyTheRunwayChanged(t *testing.T) {
	c := newAPICommands(t, egress.Config{})

	text := c.must("cash-position", "--why")

	for _, want := range []string{"months of cash, until ", " took ", " more than "} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	refused(t, c.run("cash-position", "--why", "--json"), 2, "leave out --json")
}
