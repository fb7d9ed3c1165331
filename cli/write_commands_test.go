package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/service/egress"
)

// privateFile writes a file that only its owner can read.
func privateFile(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (c apiCommands) owner() {
	c.t.Helper()
	if _, err := c.service.SetOwner(c.t.Context(), c.orgID, "Ada Palmer", "ada@example.com"); err != nil {
		c.t.Fatal(err)
	}
}

var proposing = []string{
	"invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email", "pay@acme.example", "--description",
	"Consulting, May",
	"--line", "12.5 x 180.00 Hours", "--line", "1 x 1,200 Workshop x 2", "--due", "2026-06-30", "--notes", "internal",
}

const proposalJSON = `{"currency":"USD","description":"Seats","recipient_name":"Łukasz",
	"recipient_email":"l@example.com","notes":"","due_date":"2026-06-30",
	"line_items":[{"description":"Seat","quantity":"1.5","unit_price_cents":999}]}`

func TestProposingMakesADraftAndSaysThatNothingWasSent(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	refused(t, c.run(proposing...), 1, "(409)")
	c.owner()
	out := c.must(proposing...)
	for _, want := range []string{`(?m)^Status +draft$`, `(?m)^Total +\$3,450.00$`, `(?m)^Due +2026-06-30$`,
		`Draft INV-\d+ created\. Nothing was sent to the customer`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	// Amounts and dates may be typed in words; the output shows how they were read.
	out = c.must("invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email", "pay@acme.example",
		"--description", "Consulting",
		"--line", "12.5 hours x $1.8k Consulting", "--line", "2 x 5 m cable", "--due", "in 2 weeks")
	due := time.Now().UTC().AddDate(0, 0, 14).Format(time.DateOnly)
	for _, want := range []string{`(?m)^Total +\$22,510.00$`, `(?m)^Due +` + due + `$`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	file := privateFile(t, proposalJSON)
	seats := []string{"invoices", "propose", "--file", file, "--json", "--idempotency-key", "seats"}
	first := decoded(t, c.must(seats...)).(map[string]any)
	again := decoded(t, c.must(seats...)).(map[string]any)
	if first["id"] != again["id"] || first["total_cents"] != 1499.0 || first["status"] != "draft" {
		t.Errorf("%v, then %v", first, again)
	}
	stdin, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), command.Env{
		Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return c.env[name] },
		Now: time.Now,
	}, []string{"invoices", "propose", "--file", "-", "--json"})
	if code != 0 || decoded(t, stdout.String()).(map[string]any)["total_cents"] != 1499.0 {
		t.Errorf("from standard input: exit %d, %s", code, stderr.String())
	}
}

func TestAProposalThatBreaksARuleIsNotSent(t *testing.T) {
	env, requests := ledger(t, 0)
	with := func(change ...string) []string { return append(append([]string{}, proposing...), change...) }
	for _, c := range []struct {
		args []string
		says string
	}{
		{with("--recipient-email", "Acme <pay@acme.example>"),
			"recipient_email must be an e-mail address such as pay@acme.example"},
		{with("--description", "", "--recipient-name", " "),
			"description must not be empty; recipient_name must not be empty"},
		{with("--line", "0 x 1 Nothing"), "the quantity must be a number such as 12.5"},
		{with("--line", "1 x 0 Nothing"), "line_items[2].unit_price_cents must be positive"},
		{with("--line", "1 x 1,20 Nothing"), "the price must be an amount"},
		{with("--line", "1 Nothing"), `--line must be like "12.5 x 180.00 Hours"`},
		{with("--due", "2026-02-30"), "--due must be a date such as 2026-12-31, 31 Dec, net 30 or in 2 weeks, not " +
			"\"2026-02-30\""},
		{with("--due", "03/04/2026"), "--due must be a date such as 2026-04-03 or 3 Apr 2026"},
		{with("--line", "1.5m x 1 Nothing"), "the quantity must be a number such as 12.5"},
		{with("--line", "1 x 1.234567k Nothing"), "the price must be an amount such as 1,200.50 or 1.5k; USD has 2 decimal " +
			"places"},
		{with("--line", "1 x 1.5 million Nothing"), "write the price in one word, such as 1.5M"},
		{with("--line", "1 x 100 USD Hours"), "leave out USD, since prices are in US dollars"},
		{with("--line", "1 x 100 EUR Hours"), "the price is in EUR, but invoices are in USD"},
		{proposing[:8], "the proposal has no lines"},
		{[]string{"invoices", "propose", "--file", privateFile(t, "{}"), "--line", "1 x 1 x"},
			"--file and --line cannot be combined"},
		{[]string{"invoices", "propose", "--file", privateFile(t, "{}")}, "line_items must not be empty"},
		{[]string{"invoices", "propose", "--file", privateFile(t, `{"total":1}`)}, `unknown field "total"`},
		{[]string{"invoices", "propose", "--file", privateFile(t, proposalJSON+"{}")}, "there is data after it"},
		{[]string{"invoices", "propose", "--file", privateFile(t, strings.Replace(proposalJSON, "06-30", "06-31", 1))},
			"due_date must be a calendar date"},
		{[]string{"invoices", "propose", "--file", privateFile(t, strings.Replace(proposalJSON, "1.5", "1.5e3", 1))},
			"line_items[0].quantity must be a number"},
		{[]string{"invoices", "propose", "--file", privateFile(t, strings.Replace(proposalJSON, "USD", "EUR", 1))},
			"only USD is supported"},
	} {
		refused(t, tarmac(t, env, c.args...), 2, c.says)
	}
	refused(t, tarmac(t, env, "invoices", "propose", "--file", filepath.Join(t.TempDir(), "none")), 1, "cannot read")
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// lossy returns a proxy to the service that breaks the connection of every POST, before or
// after passing it on.
func lossy(t *testing.T, service string, passOn bool) (address string, posts *int) {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	posts = new(int)
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			proxy.ServeHTTP(w, r)
			return
		}
		*posts++
		if passOn {
			proxy.ServeHTTP(httptest.NewRecorder(), r)
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		conn.Close()
	}))
	t.Cleanup(server.Close)
	return server.URL, posts
}

// Without a response, the command looks for drafts and sends nothing again.
func TestAnUnknownOutcomeIsLookedUpAndNeverSentAgain(t *testing.T) {
	t.Parallel()
	c := newConcurrentCommands(t, egress.Config{})
	c.owner()
	service := c.env["TARMAC_BASE_URL"]
	for _, r := range []struct {
		passOn bool
		says   string
	}{
		{false, "matches the recipient, total and time sent. The request may still be in progress."},
		{true, "One of the newest drafts has the same recipient and total and was created after sending. INV-"},
	} {
		before := len(c.api("/invoices?status=draft&limit=200").([]any))
		address, posts := lossy(t, service, r.passOn)
		c.env["TARMAC_BASE_URL"] = address
		refused(t, c.run(proposing...), 1, r.says)
		c.env["TARMAC_BASE_URL"] = service
		made := len(c.api("/invoices?status=draft&limit=200").([]any)) - before
		if *posts != 1 || (made == 1) != r.passOn {
			t.Errorf("%d requests made %d drafts", *posts, made)
		}
	}
	// Other writes exit with code 1 too: code 5 means that a retry is safe.
	address, _ := lossy(t, service, false)
	c.env["TARMAC_BASE_URL"] = address
	refused(t, c.run("webhooks", "create", "--url", "https://example.com/x", "--types", "invoice.paid"), 1,
		"check before sending it again")
}

func FuzzProposalsFromFilesAreSentAsTheyAreOrRefused(f *testing.F) {
	f.Add(proposalJSON)
	f.Add(`{"line_items":[{"quantity":"1"}]}`)
	f.Add(`[]`)
	f.Add(`{"due_date":"2026-13-01"}`)
	sent := make(chan []byte, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- body
		w.WriteHeader(http.StatusConflict)
	}))
	f.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	f.Fuzz(func(t *testing.T, content string) {
		r := tarmac(t, env, "invoices", "propose", "--file", privateFile(t, content))
		switch r.code {
		case 2:
		case 1:
			var want, got map[string]any
			if json.Unmarshal([]byte(content), &want) != nil || json.Unmarshal(<-sent, &got) != nil {
				t.Fatalf("%q was sent", content)
			}
			if n := len(want["line_items"].([]any)); n != len(got["line_items"].([]any)) {
				t.Errorf("%q was sent with other lines", content)
			}
		default:
			t.Fatalf("exit %d, %q", r.code, r.stderr)
		}
	})
}
