package cli_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testprogram"
	"tarmac/service/access"
	"tarmac/service/egress"
)

// apiCommands is the service with a client that runs commands.
type apiCommands struct {
	*both
	env map[string]string
}

func newAPICommands(t *testing.T, webhooks egress.Config) apiCommands {
	t.Helper()
	testprogram.SkipShort(t)
	return newConcurrentCommands(t, webhooks)
}

// newConcurrentCommands is newAPICommands for tests that short mode runs too.
func newConcurrentCommands(t *testing.T, webhooks egress.Config) apiCommands {
	t.Helper()
	b := newBothWith(t, webhooks)
	c := apiCommands{both: b}
	c.env = map[string]string{"TARMAC_BASE_URL": "http://" + b.address, "TARMAC_TOKEN": c.token(access.Scopes[:]...)}
	return c
}

func (c apiCommands) token(scopes ...access.Scope) string {
	c.t.Helper()
	secret, _, err := c.service.CreateToken(c.t.Context(), c.orgID, scopes, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	return secret
}

func (c apiCommands) run(args ...string) result {
	c.t.Helper()
	r := testprogram.Run(c.t, c.env, args...)
	return result{r.Code, r.Stdout, r.Stderr}
}

// must runs a command that has to succeed, and returns its standard output.
func (c apiCommands) must(args ...string) string {
	c.t.Helper()
	r := c.run(args...)
	if r.code != 0 {
		c.t.Fatalf("tarmac %s: exit %d, %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// refused runs a command that has to fail with one line. Wrong usage adds a second line that
// points to the help.
func refused(t testing.TB, r result, code int, says string) {
	t.Helper()
	lines := 1
	if code == 2 {
		lines = 2
	}
	if r.code != code || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != lines || r.stdout != "" {
		t.Errorf("exit %d, %q, %q; want exit %d and %q", r.code, r.stderr, r.stdout, code, says)
	}
}

// api calls the service directly.
func (c apiCommands) api(path string) (v any) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.env["TARMAC_BASE_URL"]+"/api/ext/v1"+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.env["TARMAC_TOKEN"])
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		c.t.Fatalf("GET %s: %s", path, resp.Status)
	}
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		c.t.Fatal(err)
	}
	return v
}

func decoded(t testing.TB, out string) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(out))
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("no JSON: %v in %q", err, out)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Fatalf("something after the JSON: %q", out)
	}
	return v
}

// unknownIsNull converts an API response the way commands do: placeholder amounts become null.
// It also removes as_of and synced_at, which differ between requests.
func unknownIsNull(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = unknownIsNull(v[i])
		}
	case map[string]any:
		for amount, known := range map[string]string{"amount_cents": "amount_known", "amount_usd_cents": "usd_known"} {
			if v[known] == false {
				v[amount] = nil
			}
		}
		for name := range v {
			v[name] = unknownIsNull(v[name])
		}
		delete(v, "as_of")
		delete(v, "synced_at")
	}
	return v
}

// firstID returns the id of the first record of a list, bare or paged.
func firstID(t testing.TB, v any) string {
	t.Helper()
	if page, ok := v.(map[string]any); ok {
		v = page["data"]
	}
	return v.([]any)[0].(map[string]any)["id"].(string)
}

func TestEveryReadPrintsTheAPIsOwnJSONAndLabelsForPeople(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	invoice, transaction, event := firstID(t, c.api("/invoices")), firstID(t, c.api("/transactions")),
		firstID(t, c.api("/events"))
	intent := regexp.MustCompile(`pi_[0-9A-Z]{26}`).FindString(c.must("events", "--types", "payment.held"))
	for _, r := range []struct {
		command, path, says string
	}{
		{"ping", "/ping", `(?m)^Organization +org_`},
		{"account", "/account", `(?m)^Available +\$[0-9,]+\.\d\d$`},
		{"cash-position", "/insights/cash-position", `(?m)^Runway in months +~?\d+\.\d$`},
		{"aging", "/receivables/aging", `(?m)^CUSTOMER +OVERDUE +INVOICES`},
		{"invoices", "/invoices", `(?m)^inv_\S+ +INV-\d+ +\w+ +.*\$`},
		{"invoices list --status paid --limit 3", "/invoices?status=paid&limit=3", `paid`},
		{"invoices get " + invoice, "/invoices/" + invoice, `(?m)^Number +INV-`},
		{"transactions", "/transactions?limit=50", `(?m)^txn_\S+ +\d{4}-\d\d-\d\d +[-+]\S+`},
		{"transactions list --limit 200 --direction inflow --from 2000-01-01 --to 2100-01-01 --keyword in",
			"/transactions?limit=200&direction=inflow&from=2000-01-01&to=2100-01-01&keyword=in", `(?m)^Net +[~+]*\$`},
		{"transactions get " + transaction, "/transactions/" + transaction, `(?m)^Counterparty +\S`},
		{"payment-intents get " + intent, "/payment-intents/" + intent, `(?m)^Status +\w+`},
		{"events", "/events", `(?m)^evt_\S+ +\w+\.\w+ +\d{4}`},
		{"events list --limit 3 --types invoice.paid,invoice.sent", "/events?limit=3&types=invoice.paid,invoice.sent",
			`INV-\d+ \$\S+ inv_`},
		{"events get " + event, "/events/" + event, `(?m)^  "`},
		{"webhooks", "/webhooks", `^ID +URL +EVENTS +STATUS`},
	} {
		args := strings.Fields(r.command)
		want := unknownIsNull(c.api(r.path))
		got := withoutExtension(unknownIsNull(decoded(t, c.must(append(args, "--json")...))))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("tarmac %s --json printed\n%v\nwhere the API answers\n%v", r.command, got, want)
		}
		if out := c.must(args...); !regexp.MustCompile(r.says).MatchString(out) {
			t.Errorf("tarmac %s has no %s:\n%s", r.command, r.says, out)
		}
	}
}

// withoutExtension removes what the extension of the API adds (docs/api.md, Facts).
func withoutExtension(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range [...]string{"extension", "category", "category_from", "note", "evidence"} {
			delete(v, name)
		}
		withoutExtension(v["data"])
	case []any:
		for _, one := range v {
			withoutExtension(one)
		}
	}
	return value
}

// Every list's CSV columns are the API's field names.
func TestListsAreCSVWithTheAPIsNames(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	for _, r := range []struct{ command, path string }{
		{"invoices --limit 20", "/invoices?limit=20"},
		{"transactions --limit 120", "/transactions?limit=120"},
		{"events --limit 20", "/events?limit=20"},
	} {
		out := c.must(append(strings.Fields(r.command), "--csv")...)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := c.api(r.path)
		if page, ok := want.(map[string]any); ok {
			want = page["data"]
		}
		records := want.([]any)
		if len(rows) != len(records)+1 || strings.Count(out, "\r\n") != len(rows) {
			t.Errorf("%s: %d lines for %d records", r.command, len(rows), len(records))
			continue
		}
		for i, record := range records {
			record := record.(map[string]any)
			for j, name := range rows[0] {
				if id, ok := record[name].(string); ok && name == "id" && rows[i+1][j] != id {
					t.Errorf("%s: row %d is %s, want %s", r.command, i, rows[i+1][j], id)
				}
				if n, ok := record[name].(float64); ok && rows[i+1][j] != "—" && rows[i+1][j] != string(mustJSON(t, n)) {
					t.Errorf("%s: %s of row %d is %s, want %v", r.command, name, i, rows[i+1][j], n)
				}
				delete(record, name)
			}
			if len(record) > 0 {
				t.Errorf("%s: no columns for %v", r.command, record)
			}
		}
	}
	// Several tables do not fit one CSV sheet.
	refused(t, c.run("overview", "--csv"), 2, "unknown flag: --csv")
	refused(t, c.run("invoices", "--csv", "--json"), 2, "--json and --csv cannot be combined")
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheOverviewPrintsEveryPartThatTheTokenMaySee(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	out := c.must("overview")
	for _, want := range []string{"Account\n", "Available", "Runway in months", "Receivables\n", "Over 90 days",
		"Money in and out\n", "Latest transactions\n", "txn_", "Latest events\n", "evt_"} {
		if !strings.Contains(out, want) {
			t.Errorf("the overview has no %q:\n%s", want, out)
		}
	}
	if months := regexp.MustCompile(`(?m)^\d{4}-\d\d `).FindAllString(out, -1); len(months) != 12 {
		t.Errorf("%d months:\n%s", len(months), out)
	}
	c.env["TARMAC_TOKEN"] = c.token("account:read")
	if out := c.must("overview"); !strings.Contains(out, "Available") ||
		!strings.Contains(out, "not allowed: the token lacks the scope event_feed:read") {
		t.Errorf("with account:read alone:\n%s", out)
	}
	got := decoded(t, c.must("overview", "--json")).(map[string]any)
	if got["account"] == nil || got["transactions"] != nil || got["months"] != nil {
		t.Errorf("with account:read alone: %v", got)
	}
}

func TestExitCodesTellWhatKindOfFailureItWas(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	refused(t, c.run("invoices", "get", "inv_nobody"), 4, "(404)")
	refused(t, c.run("events", "get", "evt_nobody"), 4, "(404)")
	refused(t, c.run("payment-intents", "get", "pi_nobody"), 4, "(404)")
	refused(t, c.run("transactions", "get", "txn_nobody"), 4, "(404)")
	refused(t, c.run("webhooks", "get", "wh_nobody"), 4, "(404)")
	good := c.env["TARMAC_TOKEN"]
	c.env["TARMAC_TOKEN"] = c.token("account:read")
	refused(t, c.run("transactions", "--all", "--json"), 3, "(403)")
	refused(t, c.run("events", "tail"), 3, "(403)")
	c.env["TARMAC_TOKEN"] = "svc_org_wrong"
	refused(t, c.run("ping"), 3, "(401)")
	refused(t, c.run("overview"), 3, "(401)")
	c.env["TARMAC_TOKEN"] = good
	c.stop()
	refused(t, c.run("ping", "--timeout", "1s"), 5, "GET /ping: ")
	refused(t, c.run("transactions", "--all", "--csv", "--timeout", "1s"), 5, "GET /transactions: ")
}

func TestWhatIsTypedWronglyIsTold(t *testing.T) {
	env := map[string]string{"TARMAC_BASE_URL": "http://127.0.0.1:1", "TARMAC_TOKEN": "svc_org_x"}
	for _, c := range []struct {
		args, says string
	}{
		{"invoices frobnicate", `unknown command "frobnicate" for tarmac invoices`},
		{"invoices --limit 201", "--limit must be from 1 to 200"},
		{"invoices --status late", "--status must be draft, sent, paid, overdue or voided"},
		{"invoices get", "needs the invoice's id"},
		{"transactions --direction up", "--direction must be inflow or outflow"},
		{"transactions --from soon", "--from must be a date"},
		{"transactions --from svc_org_secret", "not a token"},
		{"transactions --from ..2026", "--from \"..2026\" has no first day"},
		{"transactions --to 2026..", "--to \"2026..\" has no last day"},
		{"transactions --period ytd --to today", "--period cannot be combined"},
		{"transactions --period 2026-02..2026-01", "--period: 2026-02-01 is after 2026-01-31"},
		{"transactions --from 2026-02-01 --to 2026-01-01", "--to is before --from"},
		{"transactions --from 03/04/2026", "--from must be a date such as 2026-04-03 or 3 Apr 2026"},
		{"transactions --limit 0", "--limit must be 1 or more"},
		{"transactions --all --limit 5", "--all and --limit cannot be combined"},
		{"events --types invoices", "--types must be event types"},
		{"events --all --limit 5", "--all and --limit cannot be combined"},
		{"events tail --interval 1ms", "--interval must be 1s or longer"},
		{"payment-intents", "requires a subcommand"},
		{"invoices get svc_org_secret", "was given a secret"},
		{"webhooks get svc_whsec_secret", "was given a secret"},
		{"events tail --since svc_whsec_secret", "was given a secret"},
		{"events --types svc_org_secret.x", "not a token"},
		{"account --timeout 0s", "--timeout must be greater than zero"},
		{"webhooks delete wh_1", "--yes"},
		{"webhooks update wh_1", "needs something to change"},
		{"webhooks update wh_1 --status auto_disabled", "--status must be active or paused"},
		{"webhooks create --types invoice.paid", "--url is missing"},
		{"webhooks create --url https://example.com", "--types is missing"},
		{"invoices propose --read-only", "is not available in read-only mode"},
		{"webhooks create --read-only --url https://example.com --types invoice.paid", "is not available in read-only mode"},
		{"webhooks update wh_1 --read-only --status paused", "is not available in read-only mode"},
		{"webhooks delete wh_1 --read-only --yes", "is not available in read-only mode"},
		{"webhooks rotate-secret wh_1 --read-only", "is not available in read-only mode"},
		{"webhooks verify wh_1 --read-only", "is not available in read-only mode"},
	} {
		r := tarmac(t, env, strings.Fields(c.args)...)
		refused(t, r, 2, c.says)
		if strings.Contains(r.stderr, "_secret") {
			t.Errorf("tarmac %s repeats a secret: %q", c.args, r.stderr)
		}
	}
	refused(t, tarmac(t, nil, "ping"), 2, "TARMAC_BASE_URL")
}

func TestInvoicesAreSavedWholeForTheirReaderAloneAndReplaceNothing(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	t.Chdir(t.TempDir())
	invoice := c.api("/invoices").([]any)[0].(map[string]any)
	id, number := invoice["id"].(string), invoice["number"].(string)
	if out := c.must("invoices", "pdf", id); out != number+".pdf\n" {
		t.Errorf("printed %q", out)
	}
	info, err := os.Stat(number + ".pdf")
	if err != nil {
		t.Fatal(err)
	}
	if perm := info.Mode().Perm(); perm != 0o600 && filepath.Separator == '/' {
		t.Errorf("mode %o", perm)
	}
	refused(t, c.run("invoices", "pdf", id), 1, number+".pdf already exists")
	if err := os.WriteFile("mine", []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, c.run("invoices", "pdf", id, "-o", "mine"), 1, "mine already exists")
	if kept, _ := os.ReadFile("mine"); string(kept) != "kept" {
		t.Errorf("the file holds %q", kept)
	}
	refused(t, c.run("invoices", "pdf", "inv_nobody", "-o", "mine", "--force"), 4, "(404)")
	c.must("invoices", "pdf", id, "-o", "mine", "--force")
	page, err := os.ReadFile("mine")
	if err != nil || !bytes.HasPrefix(page, []byte("%PDF-")) {
		t.Errorf("%.10q, %v", page, err)
	}
	if out := c.must("invoices", "pdf", id, "--output", "-"); !strings.HasPrefix(out, "%PDF-") || len(out) != len(page) {
		t.Errorf("%d bytes on standard output, %d in the file", len(out), len(page))
	}
	refused(t, c.run("invoices", "pdf", id, "-o", filepath.Join("none", "x.pdf")), 1, "cannot write")
	left, err := os.ReadDir(".")
	if err != nil || len(left) != 2 {
		t.Errorf("the directory holds %v, %v", left, err)
	}
}

func TestTheShellCompletesWhatAFlagTakes(t *testing.T) {
	const types = "invoice.sent\ninvoice.overdue\ninvoice.paid\ninvoice.voided\n" +
		"payment.held\npayment.completed\npayment.failed\npayment.canceled\ntest.event\n:4\n"
	for command, want := range map[string]string{
		"invoices list --status ":        "draft\nsent\npaid\noverdue\nvoided\n:4\n",
		"invoices --status ":             "draft\nsent\npaid\noverdue\nvoided\n:4\n",
		"transactions list --direction ": "inflow\noutflow\n:4\n",
		"webhooks update --status ":      "active\npaused\n:4\n",
		"events tail --types ":           types,
		"webhooks create --types ":       types,
		"invoices get ":                  ":4\n",
	} {
		args := strings.Split(command, " ")
		if r := tarmac(t, nil, append([]string{"__complete"}, args...)...); r.stdout != want {
			t.Errorf("tarmac %s is completed by %q, want %q", command, r.stdout, want)
		}
	}
}

// A read-only profile rejects the same commands as --read-only.
func TestAReadOnlyProfileRefusesToWrite(t *testing.T) {
	home := t.TempDir()
	config := filepath.Join(home, "tarmac", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	content := "default_profile = \"acme\"\n[profiles.acme]\nbase_url = \"http://127.0.0.1:1\"\nread_only = true\n"
	if err := os.WriteFile(config, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"XDG_CONFIG_HOME": home, "HOME": home}
	refused(t, tarmac(t, env, "webhooks", "rotate-secret", "wh_1", "--token-file", privateFile(t, "svc_org_x")), 2,
		"is not available in read-only mode")
}
